package dev.outpost.provider.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.support.tests.Await;
import io.smallrye.mutiny.subscription.Cancellable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process may write anything into its log, and its followers continue. */
class LogLinesTest {
    private static final int A_PIECE = 1 << 20;

    @TempDir
    Path folder;

    private MachineFolder machine() throws IOException {
        MachineRecord record = new MachineRecord(
                "outpost-a-1",
                new Keeper.Client(),
                "any",
                Optional.empty(),
                "ada@laptop",
                Instant.now(),
                Optional.empty(),
                Map.of());
        return new StateFolder(folder.resolve("machines"))
                .make(record, List.of(), Map.of(), Optional.empty())
                .orElseThrow();
    }

    /** The machine is this process, so it is alive. */
    private static void start(MachineFolder machine) throws IOException {
        long pid = ProcessHandle.current().pid();
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String birth = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
        String boot =
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        machine.write(MachineFolder.PROCESS, pid + "\n" + birth + " " + boot + "\n");
    }

    @Test
    void bytesThatAreNoTextAndLinesWithoutAnEndAndLogsThatAreCutOffAreFollowed() throws Exception {
        MachineFolder machine = machine();
        start(machine);
        Path log = machine.path().resolve(MachineFolder.LOG);
        byte[] noText = new byte[] {(byte) 0xff, (byte) 0xfe, '\n'};
        Files.write(log, noText);
        List<String> lines = new CopyOnWriteArrayList<>();
        Cancellable following = LogLines.of(machine, true).subscribe().with(lines::add);
        try {
            awaitLines(lines, 1);
            Files.writeString(log, "two\n", StandardOpenOption.APPEND);
            awaitLines(lines, 2);
            byte[] endless = new byte[A_PIECE];
            Arrays.fill(endless, (byte) 'x');
            Files.write(log, endless, StandardOpenOption.APPEND);
            awaitLines(lines, 3);
            Files.write(log, new byte[0]);
            Files.writeString(log, "after\n", StandardOpenOption.APPEND);
            // The follower may have seen the shorter log only with this line in it, and then counts the line as read.
            Await.until(() -> lines.size() + " lines", () -> {
                append(log);
                return lines.contains("last");
            });
            assertEquals("two", lines.get(1));
            assertEquals(A_PIECE, lines.get(2).length());
        } finally {
            following.cancel();
        }
    }

    private static void append(Path log) {
        try {
            Files.writeString(log, "last\n", StandardOpenOption.APPEND);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void awaitLines(List<String> lines, int count) {
        Await.until(() -> lines.size() + " lines", () -> lines.size() >= count);
    }
}
