package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.ops.MachineOps;
import dev.outpost.optim.Adam;
import dev.outpost.types.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares programs, scans and saved models of a group with one machine. */
class GroupProgramTest {
    private static final int BATCH = 13;
    private static final int FEATURES = 6;

    @TempDir
    Path folder;

    @Test
    void aStepThatIsAProgramTrainsAsOnOneMachine() {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = trained(machine, true);
            assertArrayEquals(alone, trained(machine, false), 1e-6f);
        }
        for (int size : new int[] {2, 3}) {
            try (var group = MachineGroup.of("mock", "A100", size)) {
                group.dataParallel();
                assertArrayEquals(alone, trained(group, true), 1e-5f, size + " machines");
                assertTrue(group.stats().collectives().containsKey("all_reduce"), group::explain);
            }
        }
    }

    /** With a learning rate that changes, and random numbers in each step. */
    private static float[] trained(MachineOps machine, boolean isProgram) {
        machine.self().manualSeed(11);
        Module model = new Sequential(new Linear(FEATURES, 8), new ReLU(), new Dropout(0.2), new Linear(8, 3))
                .to(machine.self());
        Adam optimizer = new Adam(model.parameters(), 0.02);
        Program.Body body = inputs -> {
            optimizer.zeroGrad();
            Tensor loss = Functional.crossEntropy(model.forward(inputs.get(0)), inputs.get(1));
            loss.backward();
            optimizer.step();
            return List.of(loss);
        };
        Program step = machine.self().program(body);
        Tensor images = machine.tensor(images(), BATCH, FEATURES);
        Tensor labels = machine.tensor(labels());
        float[] losses = new float[6];
        for (int index = 0; index < losses.length; index++) {
            optimizer.learningRate(0.02 / (index + 1));
            List<Tensor> results = isProgram ? step.call(images, labels) : body.apply(List.of(images, labels));
            losses[index] = (float) (double) results.getFirst().item();
        }
        return losses;
    }

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
            labels[row] = row % 3;
        }
        return labels;
    }

    /** A call with differently placed tensors needs no other program. */
    @Test
    void theSameProgramRunsOverOtherPlacements() {
        try (var group = MachineGroup.of("mock", "A100", 3)) {
            HostTensor values = HostTensor.of(images(), BATCH, FEATURES);
            Program product = group.machine()
                    .program(in -> List.of(in.get(0).matmul(in.get(0).t()).sum(1)));
            float[] whole = product.call(group.replicated(values, List.of(0, 1, 2)))
                    .getFirst()
                    .toHost()
                    .toFloatArray();
            for (int dim = 0; dim < 2; dim++) {
                Tensor result = product.call(group.sharded(values, dim)).getFirst();
                assertArrayEquals(whole, result.toHost().toFloatArray(), 1e-4f, "cut along " + dim);
            }
        }
    }

    @Test
    void aScanCarriesAndEmitsWhatIsCut() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Program step = group.machine().program(in -> {
                Tensor next = in.get(0).mul(2).add(in.get(1));
                return List.of(next, next.sum());
            });
            Tensor start = group.sharded(HostTensor.of(new float[] {1, 2, 3}, 3), 0);
            Scan scan = group.machine().scan(step, List.of(start), 4);
            List<Double> sums = new ArrayList<>();
            scan.emissions().forEach(emitted -> sums.add(emitted.getFirst().getDouble(0)));
            assertEquals(List.of(12.0, 27.0, 60.0, 129.0), sums);
            assertArrayEquals(
                    new float[] {27, 43, 59}, scan.carry().getFirst().toHost().toFloatArray());
            assertEquals(4, scan.iterations());
            // Earlier values are unchanged.
            assertArrayEquals(new float[] {1, 2, 3}, start.toHost().toFloatArray());
        }
    }

    @Test
    void aScanEndsWhereItsConditionIsTrue() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Program doubling = group.machine().program(in -> {
                Tensor next = in.get(0).mul(2);
                return List.of(next, next.sum().gt(100), next.sum());
            });
            Tensor start = group.sharded(HostTensor.of(new float[] {1, 2, 3}, 3), 0);
            Scan scan = group.machine().scanUntil(doubling, List.of(start), 50);
            assertEquals(5, scan.iterations());
            assertEquals(192.0, scan.carry().getFirst().sum().item());
        }
    }

    @Test
    void nothingIsLeftOfProgramsThatRan() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            long before = group.machine().heldValues();
            try (var scope = group.scope()) {
                Program step = group.machine()
                        .program(in -> List.of(in.get(0).add(1), in.get(0).sum()));
                Scan scan =
                        group.machine().scan(step, List.of(group.sharded(HostTensor.of(new float[] {1, 2}, 2), 0)), 3);
                assertEquals(9.0, scan.carry().getFirst().sum().item());
            }
            assertEquals(before, group.machine().heldValues());
        }
    }

    @Test
    void cutTensorIsSavedWhole() {
        String uri = folder.resolve("model").toUri().toString();
        MachineOptions options =
                new MachineOptions().option("sources", folder.toUri().toString());
        try (var group = MachineGroup.of("mock", "A100", 3, options)) {
            HostTensor values = HostTensor.of(images(), BATCH, FEATURES);
            Tensor cut = group.sharded(values, 0);
            Tensor sum = group.sharded(values, 1).sum(1);
            group.machine().save(uri, Map.of("cut", cut, "view", cut.t(), "sum", sum));
            Map<String, Tensor> read = group.machine().open(uri).loadStateDict();
            assertArrayEquals(images(), read.get("cut").toHost().toFloatArray());
            assertEquals(Shape.of(FEATURES, BATCH), read.get("view").shape());
            assertArrayEquals(
                    sum.toHost().toFloatArray(), read.get("sum").toHost().toFloatArray());
        }
    }

    @Test
    void severalGpusOfOneMachineAreAGroup() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", 4)) {
            MachineGroup group = MachineGroup.of(machine);
            assertEquals(4, group.size());
            Tensor parts = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4, 5}, 5), 0);
            assertEquals(15.0, parts.sum().item());
            assertEquals(
                    "shard(0) at [0, 2, 3, 4, 5] on [0, 1, 2, 3]",
                    parts.placement().toString());
        }
    }
}
