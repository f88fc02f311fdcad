package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.SGD;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.protocol.tape.Slots;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.types.MachineLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps of a loop are sent as changes of the previous step, and have the same results as when sent in full. */
@Tag("quick")
class RepeatedStepsTest {
    private static final int TIMES = 4;

    private final MockProvider provider = new MockProvider(MockSettings.STANDARD);

    private RemoteMachine machine() {
        return RemoteMachine.of(provider, "A100", new MachineOptions());
    }

    private MockMachine mock() {
        return provider.machines().getLast();
    }

    /** Each step differs from another in one aspect only. All run in turn, each repeatedly. */
    @Test
    void segmentsThatDifferInOneThingAreDistinct() {
        try (RemoteMachine machine = machine()) {
            Tensor a = machine.tensor(new float[] {1, 2, 3, 4}).reshape(2, 2);
            Tensor b = machine.tensor(new float[] {5, 7, 9, 11}).reshape(2, 2);
            Tensor doubles = a.float64();
            Tensor row = machine.tensor(new float[] {1, 2, 3}).reshape(1, 3);
            for (int time = 0; time < TIMES; time++) {
                assertComputes(machine, () -> a.sub(b), -4, -5, -6, -7);
                assertComputes(machine, () -> b.sub(a), 4, 5, 6, 7);
                assertComputes(machine, () -> a.sub(a), 0, 0, 0, 0);
                assertComputes(machine, () -> a.neg().sub(b).sub(a), -7, -11, -15, -19);
                assertComputes(machine, () -> a.neg().sub(b).sub(b), -11, -16, -21, -26);
                assertComputes(machine, () -> a.sum(0), 4, 6);
                assertComputes(machine, () -> a.sum(1), 3, 7);
                assertComputes(machine, () -> b.sum(0), 14, 18);
                assertComputes(machine, () -> row.sum(0), 1, 2, 3);
                assertComputes(machine, () -> row.sum(1), 6);
                assertComputes(machine, () -> a.mul(3), 3, 6, 9, 12);
                assertComputes(machine, () -> a.mul(0.5), 0.5f, 1, 1.5f, 2);
                assertComputes(machine, () -> doubles.div(3).sub(a.float64().div(3)), 0, 0, 0, 0);
                assertComputes(machine, () -> a.div(4), 0.25f, 0.5f, 0.75f, 1);
                assertComputes(machine, () -> doubles.div(4), 0.25f, 0.5f, 0.75f, 1);
            }
            assertTrue(machine.stats().repeatedSegments() >= 15 * (TIMES - 2), machine.stats()::toString);
        }
    }

    private static void assertComputes(RemoteMachine machine, Supplier<Tensor> step, float... expected) {
        try (var scope = machine.scope()) {
            assertArrayEquals(expected, step.get().float32().toFloatArray());
        }
    }

    /** One structure over inputs of several types. */
    @Test
    void inputsMayChangeTheirTypes() {
        try (RemoteMachine machine = machine()) {
            Tensor row = machine.tensor(new float[] {1, 2, 3}).add(0);
            Tensor pair = machine.tensor(new float[] {4, 5}).add(0);
            Tensor integers = machine.tensor(new long[] {6, 7}).add(0);
            machine.endStep();
            for (int time = 0; time < TIMES; time++) {
                assertEquals("float32[3]", negated(machine, row, -1, -2, -3));
                assertEquals("float32[2]", negated(machine, pair, -4, -5));
                assertEquals("int64[2]", negated(machine, integers, -6, -7));
            }
            assertTrue(machine.stats().repeatedSegments() >= 3 * TIMES - 1, machine.stats()::toString);
        }
    }

    private static String negated(RemoteMachine machine, Tensor tensor, double... expected) {
        try (var scope = machine.scope()) {
            Tensor result = tensor.neg();
            assertArrayEquals(expected, result.toDoubleArray());
            return result.type().toString();
        }
    }

    @Test
    void aLearningRateThatChangesIsUsed() {
        try (RemoteMachine machine = machine()) {
            Parameter weight = Parameter.of(machine.zeros(2));
            SGD optimizer = new SGD(List.of(weight), 1);
            double expected = 0;
            for (int step = 1; step <= 6; step++) {
                optimizer.learningRate(1.0 / step);
                expected -= 2.0 / step;
                try (var scope = machine.scope()) {
                    optimizer.zeroGrad();
                    weight.tensor().mul(2).sum().backward();
                    optimizer.step();
                }
                assertEquals(expected, weight.tensor().sum().itemDouble() / 2, 1e-5);
            }
            assertTrue(machine.stats().repeatedSegments() >= 8, machine.stats()::toString);
        }
    }

    @Test
    void aSeedThatChangesIsUsed() {
        List<float[]> repeated = new ArrayList<>();
        try (RemoteMachine machine = machine()) {
            for (int seed = 0; seed < TIMES; seed++) {
                repeated.add(drawn(machine, seed));
            }
            assertEquals(TIMES - 1, machine.stats().repeatedSegments());
        }
        for (int seed = 0; seed < TIMES; seed++) {
            try (RemoteMachine machine = machine()) {
                assertArrayEquals(drawn(machine, seed), repeated.get(seed), "seed " + seed);
            }
        }
        assertFalse(Arrays.equals(repeated.get(0), repeated.get(1)));
    }

    private static float[] drawn(RemoteMachine machine, long seed) {
        machine.manualSeed(seed);
        try (var scope = machine.scope()) {
            return machine.randn(5).toFloatArray();
        }
    }

    /** More structures than are remembered, so that each is removed before it is repeated. */
    @Test
    void forgottenSegmentIsSentAgain() {
        try (RemoteMachine machine = machine()) {
            for (int time = 0; time < 2; time++) {
                for (int size = 1; size <= Slots.COUNT + 10; size++) {
                    assertEquals(size, sum(machine, size));
                }
            }
            assertEquals(0, machine.stats().repeatedSegments());
            assertEquals(Slots.COUNT + 10, sum(machine, Slots.COUNT + 10));
            assertEquals(1, machine.stats().repeatedSegments());
        }
    }

    private static double sum(RemoteMachine machine, int size) {
        try (var scope = machine.scope()) {
            return machine.ones(size).sum().itemDouble();
        }
    }

    /** The connection breaks after a structure was sent, before it is repeated, and once more. */
    @Test
    void segmentCacheSurvivesAReconnect() {
        try (RemoteMachine machine = machine().awaitReady()) {
            Tensor total = machine.zeros();
            for (int step = 1; step <= 10; step++) {
                try (var scope = machine.scope()) {
                    total.add_(machine.ones(step % 3 + 1).sum());
                }
                mock().cutNow();
                if (step % 2 == 0) {
                    assertEquals(expectedTotal(step), total.itemDouble());
                }
            }
            assertTrue(mock().connectionsOpened() > 5, () -> mock().connectionsOpened() + " connections");
            // Three sizes of ones; the first step also makes the zeros.
            assertEquals(10 - 4, machine.stats().repeatedSegments());
        }
    }

    private static double expectedTotal(int steps) {
        return IntStream.rangeClosed(1, steps).map(step -> step % 3 + 1).sum();
    }

    /** Another session begins without remembered structures, and neither uses those of the other. */
    @Test
    void newMachineGetsEverySegmentAgain() {
        MachineOptions options =
                new MachineOptions().onLoss(MachineLossPolicy.RESTART).lossTimeout(Duration.ZERO);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options)) {
            Tensor lost = machine.ones(3);
            assertEquals(3, sum(machine, 3));
            assertEquals(3, sum(machine, 3));
            mock().killRuntime();
            assertThrows(MachineLostException.class, () -> {
                for (int look = 0; look < 1000; look++) {
                    lost.add(1).toFloatArray();
                }
            });
            assertEquals(3, sum(machine, 3));
            assertEquals(3, sum(machine, 3));
        }
    }

    @Test
    void aRepeatThatFailsNamesItsLine() {
        MachineOptions options = new MachineOptions().traces(true);
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options)) {
            Tensor x = machine.arange(4).float32();
            for (long index = 0; index < 4; index++) {
                Tensor at = machine.tensor(new long[] {index});
                assertEquals(index, x.indexSelect(0, at).itemDouble());
            }
            Tensor outside = machine.tensor(new long[] {4});
            Tensor bad = x.indexSelect(0, outside);
            RemoteException fault = assertThrows(RemoteException.class, bad::item);
            assertTrue(fault.getMessage().contains("index 4 is out of bounds"), fault.getMessage());
            assertTrue(fault.getMessage().contains("recorded at RepeatedStepsTest.java:"), fault.getMessage());
            assertTrue(machine.stats().repeatedSegments() >= 3, machine.stats()::toString);
        }
    }
}
