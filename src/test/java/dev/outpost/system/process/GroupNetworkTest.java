package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.provider.process.ProcessProvider;
import dev.outpost.support.tests.Await;
import dev.outpost.system.process.GroupFaultMatrixTest.Program;
import dev.outpost.system.server.RuntimeCommandLine;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests members on separate hosts whose network is cut: during an exchange, and while they connect. */
@Tag("full")
class GroupNetworkTest {
    private static final int SIZE = 2;
    /** The state of a connection, as in {@code /proc/net/tcp}. */
    private static final String SYN_SENT = "02";

    /** Names a member by its machine, or by its rank in the group of that name. */
    private static final Pattern NAMED = Pattern.compile("process-anyx2(\\[[01]]|: the group is lost: .*member [01] )");

    /** A busy host takes seconds to connect two members. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private static Stream<Arguments> cuts() {
        return Arrays.stream(Program.values())
                .flatMap(program -> Stream.of(1, 2).map(host -> Arguments.of(program, host)));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void aMemberWhoseNetworkIsCutEndsTheGroup(Program program, int host) throws Exception {
        try (MemberHosts hosts = MemberHosts.open(folder, SIZE)) {
            ProcessHost machines = new ProcessHost(folder.resolve("machines"));
            try {
                MachineGroup group = group(hosts, machines);
                double expected = program.run(group);
                assertEquals(expected, program.run(group));
                hosts.cut(host);
                MachineLostException lost = Await.within(
                        "the loss is told",
                        () -> assertThrows(MachineLostException.class, () -> {
                            while (true) {
                                program.run(group);
                            }
                        }));
                assertNamesAMember(lost);
                Await.within("the group is closed", group::close);
            } finally {
                stop(machines);
            }
        }
    }

    @Test
    void membersThatDoNotReachEachOtherAreNamed() throws Exception {
        try (MemberHosts hosts = MemberHosts.open(folder, SIZE)) {
            ProcessHost machines = new ProcessHost(folder.resolve("machines"));
            hosts.separate();
            try {
                MachineGroup group = group(hosts, machines);
                OutpostException failed = Await.within(
                        "the failure is told",
                        () -> assertThrows(OutpostException.class, () -> Program.ALL_REDUCE.run(group)));
                assertNamesAMember(failed);
                Await.within("the group is closed", group::close);
            } finally {
                stop(machines);
            }
        }
    }

    /** The member is killed while it waits for the others, which do not reach it. */
    @Test
    void aMemberThatIsKilledWhileItJoinsIsNamed() throws Exception {
        try (MemberHosts hosts = MemberHosts.open(folder, SIZE)) {
            ProcessHost machines = new ProcessHost(folder.resolve("machines"));
            hosts.separate();
            try {
                MachineGroup group = group(hosts, machines, Await.GUARD.dividedBy(2));
                AtomicReference<Killed> killed = new AtomicReference<>();
                Thread.ofVirtual().start(() -> killOnceItConnects(machines, killed));
                OutpostException failed = Await.within(
                        "the failure is told",
                        () -> assertThrows(OutpostException.class, () -> Program.ALL_REDUCE.run(group)));
                assertTrue(
                        killed.get().isNamedBy(failed.getMessage()),
                        () -> killed + " was killed: " + failed.getMessage());
                Await.within("the group is closed", group::close);
            } finally {
                stop(machines);
            }
        }
    }

    /** This holds even if some of them are gone already. */
    private static void stop(ProcessHost machines) throws IOException {
        try (Stream<Path> folders = Files.list(machines.state())) {
            for (Path folder : folders.filter(each -> Files.exists(each.resolve("process")))
                    .toList()) {
                String pid = Files.readAllLines(folder.resolve("process")).getFirst();
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** A machine that did not start is reported by its name, and a lost machine by its process. */
    private record Killed(String machine, long process) {
        boolean isNamedBy(String message) {
            return message.contains(machine) || message.contains("its process " + process + " is gone");
        }
    }

    /** @param killed gets the machine before it is killed */
    private static void killOnceItConnects(ProcessHost machines, AtomicReference<Killed> killed) {
        Await.until("a member connects", () -> {
            Optional<String> machine = connecting(machines);
            machine.ifPresent(name -> {
                ProcessHandle process = machines.process(name);
                killed.set(new Killed(name, process.pid()));
                process.destroyForcibly();
            });
            return machine.isPresent();
        });
    }

    private static Optional<String> connecting(ProcessHost machines) {
        try {
            return GroupFaultMatrixTest.names(machines).stream()
                    .filter(name -> isConnecting(machines.process(name)))
                    .findFirst();
        } catch (IOException | RuntimeException ignored) {
            return Optional.empty();
        }
    }

    /** Returns true if a connection from the namespace of a process has no answer yet. */
    private static boolean isConnecting(ProcessHandle process) {
        Path sockets = Path.of("/proc/" + process.pid() + "/net");
        return Stream.of("tcp", "tcp6").anyMatch(kind -> {
            try (Stream<String> lines = Files.lines(sockets.resolve(kind))) {
                return lines.map(line -> line.strip().split("\\s+")).anyMatch(words -> words[3].equals(SYN_SENT));
            } catch (IOException | UncheckedIOException ignored) {
                return false;
            }
        });
    }

    private static void assertNamesAMember(OutpostException failed) {
        assertTrue(NAMED.matcher(failed.getMessage()).find(), failed::getMessage);
    }

    private static MachineGroup group(MemberHosts hosts, ProcessHost machines) throws IOException {
        return group(hosts, machines, TIMEOUT);
    }

    private static MachineGroup group(MemberHosts hosts, ProcessHost machines, Duration timeout) throws IOException {
        String flags = String.join(" ", RuntimeCommandLine.flags()) + " -Doutpost.runtime.peers.unix-sockets=false";
        ProcessProvider provider = machines.provider("java", hosts.java().toString(), "flags", flags);
        MachineOptions options = new MachineOptions().peerTimeout(timeout).lossTimeout(LOSS_TIMEOUT);
        return MachineGroup.of(provider, "any", SIZE, options);
    }
}
