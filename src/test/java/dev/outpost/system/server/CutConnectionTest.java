package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.system.server.CuttingProxy.Direction;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program whose connection is cut at any point has the same results, and computes nothing twice. */
class CutConnectionTest {
    private enum Phase {
        CONNECTING,
        UPLOADING,
        COMPUTING,
        IDLE,
        DOWNLOADING,
        LEAVING
    }

    private interface Network {
        void reached(Phase phase, CuttingProxy proxy);
    }

    /** The results of the program, and the work of the machine for it. */
    private record Outcome(byte[] numbers, byte[] product, long segments, long kernels) {}

    private static final int HALF_A_MEGABYTE = 1 << 19;

    private static ManagementClient management;
    private static Outcome expected;

    @BeforeAll
    static void runUndisturbed() {
        management = ManagementClient.of(RuntimeProcess.shared());
        expected = run(0, (phase, proxy) -> {});
    }

    @ParameterizedTest
    @EnumSource
    void aCutInAnyPhaseChangesNothing(Phase cut) {
        assertSame(run(1, (phase, proxy) -> {
            if (phase == cut) {
                disturb(phase, proxy);
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 700, 2500})
    void aCutOfWhatTheMachineSaysFirstChangesNothing(int bytes) {
        assertSame(run(1, cutting(Direction.TO_CLIENT, bytes)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 700, 1500})
    void aCutOfWhatTheClientSaysFirstChangesNothing(int bytes) {
        assertSame(run(1, cutting(Direction.TO_MACHINE, bytes)));
    }

    @Test
    void aCutInEveryPhaseChangesNothing() {
        assertSame(run(Phase.values().length, CutConnectionTest::disturb));
    }

    @Test
    @Tag("full")
    void aCutAtAnyByteChangesNothing() {
        for (Direction direction : Direction.values()) {
            for (int round = 0; round < 50; round++) {
                int bytes = ThreadLocalRandom.current().nextInt(1, round % 2 == 0 ? 6_000 : 2 << 20);
                assertSame(run(1, cutting(direction, bytes)));
            }
        }
    }

    private static Network cutting(Direction direction, int bytes) {
        return (phase, proxy) -> {
            if (phase == Phase.CONNECTING) {
                proxy.cutAfter(direction, bytes);
            }
        };
    }

    private static void disturb(Phase phase, CuttingProxy proxy) {
        switch (phase) {
            case CONNECTING -> proxy.cutAfter(Direction.TO_CLIENT, 1000);
            case UPLOADING -> proxy.cutAfter(Direction.TO_MACHINE, HALF_A_MEGABYTE);
            case DOWNLOADING -> proxy.cutAfter(Direction.TO_CLIENT, HALF_A_MEGABYTE);
            case LEAVING -> proxy.cutAfter(Direction.TO_MACHINE, 1);
            case COMPUTING, IDLE -> proxy.cut();
        }
    }

    private static void assertSame(Outcome actual) {
        assertArrayEquals(expected.numbers, actual.numbers);
        assertArrayEquals(expected.product, actual.product);
        assertEquals(expected.segments, actual.segments, "segments");
        assertEquals(expected.kernels, actual.kernels, "kernels");
    }

    private static Outcome run(int cuts, Network network) {
        JsonPath before = management.stats();
        // The session of an earlier test may still end, which lowers the number by one.
        List<Integer> others = management.sessionNumbers();
        try (CuttingProxy proxy = new CuttingProxy(RuntimeProcess.shared())) {
            byte[][] results = run(proxy, network);
            assertTrue(proxy.cuts() == cuts, () -> "the network broke " + proxy.cuts() + " times, not " + cuts);
            Await.until("the session is gone", () -> others.containsAll(management.sessionNumbers()));
            JsonPath after = management.stats();
            return new Outcome(
                    results[0],
                    results[1],
                    after.getLong("work.segments") - before.getLong("work.segments"),
                    after.getLong("work.kernels") - before.getLong("work.kernels"));
        }
    }

    private static byte[][] run(CuttingProxy proxy, Network network) {
        network.reached(Phase.CONNECTING, proxy);
        RemoteMachine machine =
                RemoteMachine.connect(RuntimeProcess.shared().remote(proxy.port()), new MachineOptions());
        machine.awaitReady();
        network.reached(Phase.UPLOADING, proxy);
        Tensor numbers = machine.tensor(SampleComputations.large(2));
        double sum = numbers.sum().itemDouble();
        assertTrue(sum > 0);
        Tensor product = SampleComputations.products(machine, 20);
        network.reached(Phase.COMPUTING, proxy);
        byte[] ofProduct = product.slice(0, 0, 1).toHost().bytes();
        network.reached(Phase.IDLE, proxy);
        Tensor more = numbers.add(1);
        network.reached(Phase.DOWNLOADING, proxy);
        byte[] ofNumbers = more.toHost().bytes();
        network.reached(Phase.LEAVING, proxy);
        machine.close();
        return new byte[][] {ofNumbers, ofProduct};
    }
}
