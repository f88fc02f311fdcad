package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.ops.MachineOps;
import dev.outpost.optim.Adam;
import dev.outpost.sharding.Placement;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests a multilayer perceptron on several machines, each of which has a part of every batch. */
class DataParallelTest {
    private static final int BATCH = 13;
    private static final int FEATURES = 8;
    private static final int HIDDEN = 6;
    private static final int CLASSES = 3;
    private static final int STEPS = 4;
    private static final long PARAMETERS = FEATURES * HIDDEN + HIDDEN + HIDDEN * CLASSES + CLASSES;
    private static final float[] IMAGES = images();

    private static float[] images() {
        Random random = new Random(1);
        float[] images = new float[BATCH * FEATURES];
        for (int index = 0; index < images.length; index++) {
            images[index] = (float) random.nextGaussian();
        }
        return images;
    }

    private static long[] labels() {
        long[] labels = new long[BATCH];
        for (int row = 0; row < BATCH; row++) {
            labels[row] = row % CLASSES;
        }
        return labels;
    }

    @Test
    void aSumOfPartsIsThatOfTheWhole() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            HostTensor values = HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
            Tensor parts = group.sharded(values, 0);
            assertEquals("shard(0) at [0, 2, 3] on [0, 1]", parts.placement().toString());
            assertEquals(21.0, parts.sum().item());
            assertEquals(Map.of("all_reduce", 1L), group.stats().collectives());
            assertEquals(4, group.stats().totalBytes());
        }
    }

    @Test
    void trainingIsThatOfOneMachine() {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = trained(machine);
        }
        for (int size : new int[] {1, 2, 3, 4}) {
            try (var group = MachineGroup.of("mock", "A100", size)) {
                assertArrayEquals(alone, trained(group.dataParallel()), 1e-5f, size + " machines");
            }
        }
    }

    @Test
    void twoRunsHaveTheSameBits() {
        float[] first;
        try (var group = MachineGroup.of("mock", "A100", 3)) {
            first = trained(group.dataParallel());
        }
        try (var group = MachineGroup.of("mock", "A100", 3)) {
            assertArrayEquals(first, trained(group.dataParallel()));
        }
    }

    @Test
    void trainingMovesItsGradientsAndNothingElse() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            trained(group.dataParallel());
            assertEquals(0, group.stats().fallbacks(), group::explain);
            // Each step exchanges its gradients, the loss that is read, and the number of labels that count.
            assertEquals(
                    Map.of("all_reduce", (4L + 1 + 1) * STEPS), group.stats().collectives(), group::explain);
            assertEquals((4 * PARAMETERS + 4 + 8) * STEPS, group.stats().totalBytes(), group::explain);
        }
    }

    @Test
    void aModuleThatIsCutTrainsAsOneThatIsNot() {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = trained(machine);
        }
        for (int size : new int[] {2, 3}) {
            try (var group = MachineGroup.of("mock", "A100", size)) {
                group.dataParallel().manualSeed(5);
                Module model = model().fullyShard(group);
                Adam optimizer = new Adam(model.parameters(), 0.01);
                assertArrayEquals(alone, trained(group, model, optimizer), 1e-5f, size + " machines");
                assertTrue(
                        model.parameters().getFirst().tensor().placement().placement() instanceof Placement.Shard,
                        () -> model.parameters().getFirst().tensor().placement().toString());
                assertTrue(group.stats().collectives().containsKey("reduce_scatter"), group::explain);
            }
        }
    }

    private static Module model() {
        return new Sequential(new Linear(FEATURES, HIDDEN), new ReLU(), new Linear(HIDDEN, CLASSES));
    }

    private static float[] trained(MachineOps machine) {
        machine.self().manualSeed(5);
        Module model = model().to(machine.self());
        return trained(machine, model, new Adam(model.parameters(), 0.01));
    }

    /** The losses of some steps, and the parameters after them. */
    private static float[] trained(MachineOps machine, Module model, Adam optimizer) {
        float[] losses = new float[STEPS];
        for (int step = 0; step < STEPS; step++) {
            try (var scope = machine.self().scope()) {
                Tensor loss = Functional.crossEntropy(
                        model.forward(machine.tensor(IMAGES, BATCH, FEATURES)), machine.tensor(labels()));
                optimizer.zeroGrad();
                loss.backward();
                optimizer.step();
                losses[step] = (float) (double) loss.item();
            }
        }
        float[] weights = model.parameters().getFirst().tensor().toHost().toFloatArray();
        float[] all = new float[losses.length + weights.length];
        System.arraycopy(losses, 0, all, 0, losses.length);
        System.arraycopy(weights, 0, all, losses.length, weights.length);
        return all;
    }
}
