package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A runtime's process takes at most its setting plus 300 MB, and returns memory within a minute of idleness. */
@Tag("full")
class ResidentMemoryTest {
    private static final long MEBI = 1 << 20;
    private static final long HEAP = 1024 * MEBI;
    private static final long BESIDE_HEAP = 300_000_000;
    /** The memory that an idle runtime may keep after use: its classes, compiled code and buffers. */
    private static final long IDLE = 500 * MEBI;

    private long max;

    private long resident(RuntimeProcess runtime) {
        try {
            long bytes = Files.readAllLines(Path.of("/proc", Long.toString(runtime.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
            max = Math.max(max, bytes);
            return bytes;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void memoryIsBoundedAndComesBack() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "only Linux tells what is resident");
        try (RuntimeProcess runtime =
                RuntimeProcess.start("-XX:-UseSerialGC", "-XX:+UseG1GC", "-Xmx" + HEAP / MEBI + "m")) {
            for (int session = 0; session < 4; session++) {
                soak(runtime);
            }
            assertTrue(max <= HEAP + BESIDE_HEAP, () -> "resident: " + max);
            assertTrue(max > IDLE, () -> "the sessions took too little to show anything: " + max);
            Instant idle = Instant.now();
            Await.until("memory comes back", () -> resident(runtime) < IDLE);
            Duration took = Duration.between(idle, Instant.now());
            assertTrue(took.compareTo(Duration.ofMinutes(1)) < 0, took::toString);
        }
    }

    /** Uploads, computes and reads values. */
    private void soak(RuntimeProcess runtime) {
        float[] values = new float[8 << 20];
        Arrays.fill(values, 1);
        try (RemoteMachine machine = runtime.connect()) {
            Tensor[] held = new Tensor[12];
            for (int round = 0; round < 24; round++) {
                int place = round % held.length;
                if (held[place] != null) {
                    held[place].close();
                }
                try (Tensor uploaded = machine.tensor(values)) {
                    held[place] = uploaded.mul(round).add(1);
                }
                held[place].toFloatArray();
                resident(runtime);
            }
        }
        resident(runtime);
    }
}
