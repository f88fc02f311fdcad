package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.sharding.SumFormat;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MachineLostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests members that are killed, stopped and slowed, at each kind of exchange: an error that names the member within the time, never a
 * hang.
 */
class GroupFaultMatrixTest {
    private static final int SIZE = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** The time in which the provider may report why a machine is gone. */
    private static final Duration LOSS_TIMEOUT = Duration.ofSeconds(1);

    private static final int COLUMNS = 64;

    @TempDir
    Path folder;

    /** Programs whose steps each have one kind of exchange, besides the read of the result. */
    enum Program {
        ALL_REDUCE(group -> rows(group, 4).sum()),
        LARGE_ALL_REDUCE(group -> group.sharded(ones(600, COLUMNS), 1)
                .matmul(group.sharded(ones(COLUMNS, 600), 0))
                .relu()
                .sum()),
        ROUNDED_ALL_REDUCE(
                group -> product(group.sumFormat(SumFormat.BFLOAT16)).relu().sum()),
        REDUCE_SCATTER(group -> product(group).add(rows(group, COLUMNS)).sum()),
        ALL_GATHER(group -> rows(group, 40).cumsum(0).sum()),
        ALL_TO_ALL(group ->
                rows(group, 64).add(group.sharded(ones(64, COLUMNS), 1)).sum()),
        SEND(group -> group.replicated(ones(40, COLUMNS), List.of(1))
                .add(group.replicated(ones(40, COLUMNS), List.of(0)))
                .sum()),
        PASSED_SEGMENT(group -> longer(rows(group, 4)).sum());

        /** The length of the next program, so that no member knows its segment. */
        private static final AtomicInteger LENGTH = new AtomicInteger(100);

        private final Function<MachineGroup, Tensor> step;

        Program(Function<MachineGroup, Tensor> step) {
            this.step = step;
        }

        double run(MachineGroup group) {
            return ((Number) step.apply(group).item()).doubleValue();
        }

        /** A pending sum. */
        private static Tensor product(MachineGroup group) {
            return group.sharded(ones(COLUMNS, COLUMNS), 1).matmul(rows(group, COLUMNS));
        }

        private static Tensor rows(MachineGroup group, int rows) {
            return group.sharded(ones(rows, COLUMNS), 0);
        }

        private static Tensor longer(Tensor from) {
            Tensor result = from;
            for (int step = LENGTH.incrementAndGet(); step > 0; step--) {
                result = result.mul(1);
            }
            return result;
        }

        private static HostTensor ones(int rows, int columns) {
            float[] values = new float[rows * columns];
            Arrays.fill(values, 1);
            return HostTensor.of(values, rows, columns);
        }
    }

    private enum Blow {
        KILLED("KILL"),
        STOPPED("STOP");

        private final String signal;

        Blow(String signal) {
            this.signal = signal;
        }
    }

    private static Stream<Arguments> matrix() {
        return Arrays.stream(Program.values())
                .flatMap(program -> Arrays.stream(Blow.values())
                        .flatMap(blow -> Stream.of(0, 1).map(rank -> Arguments.of(program, blow, rank))));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("matrix")
    void theLossOfAMemberIsToldAtEachExchange(Program program, Blow blow, int rank) throws Exception {
        strike(program, blow, rank);
    }

    @Test
    void aStoppedMemberIsNamedWithinThePatience() throws Exception {
        strike(Program.ALL_REDUCE, Blow.STOPPED, 1);
    }

    private void strike(Program program, Blow blow, int rank) throws Exception {
        Await.withEnoughTime(TIMEOUT, timeout -> strike(program, blow, rank, timeout));
    }

    private void strike(Program program, Blow blow, int rank, Duration timeout) throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines-" + timeout.toMillis()));
        List<ProcessHandle> processes = List.of();
        try {
            MachineGroup group = MachineGroup.of(
                    host.provider(),
                    "any",
                    SIZE,
                    new MachineOptions().peerTimeout(timeout).lossTimeout(LOSS_TIMEOUT));
            double expected = program.run(group);
            assertEquals(expected, program.run(group));
            processes = processes(host);
            signal(processes.get(rank), blow.signal);
            MachineLostException lost = Await.within(
                    "the loss is told",
                    () -> assertThrows(MachineLostException.class, () -> {
                        while (true) {
                            program.run(group);
                        }
                    }));
            assertTrue(lost.getMessage().contains("process-anyx2"), lost::getMessage);
            Await.within("the group is closed", group::close);
        } finally {
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** A member that is paused for less than the timeout costs only time. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aSlowMemberCostsNothingButTime(int rank) throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        try (MachineGroup group =
                MachineGroup.of(host.provider(), "any", SIZE, new MachineOptions().peerTimeout(Await.GUARD))) {
            for (Program program : Program.values()) {
                double expected = program.run(group);
                ProcessHandle slow = processes(host).get(rank);
                for (int step = 0; step < 3; step++) {
                    signal(slow, "STOP");
                    Thread waking = Thread.ofVirtual().start(() -> wakeLater(slow));
                    assertEquals(expected, program.run(group));
                    waking.join();
                }
            }
        }
    }

    private static void wakeLater(ProcessHandle slow) {
        try {
            // The time for which it is slow: this pause is the fault itself, not a wait for something.
            Thread.sleep(300);
            signal(slow, "CONT");
        } catch (InterruptedException | IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertEquals(0, status, "kill -" + signal);
    }

    private static List<ProcessHandle> processes(ProcessHost host) throws IOException {
        return names(host).stream().map(host::process).toList();
    }

    /** The names of the machines. */
    static List<String> names(ProcessHost host) throws IOException {
        try (Stream<Path> machines = Files.list(host.state())) {
            return machines.map(machine -> machine.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }
}
