package dev.outpost.gpucheck.machine;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.ops.MachineOps;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.Map;
import java.util.Random;

/**
 * Checks that two machines that share a GPU, training in data parallel, get the same results as one machine. They exchange by the host,
 * from and to the GPU's memory.
 */
final class GroupOnOneGpu {
    private static final int MEMBERS = 2;
    private static final double SHARE_OF_MEMORY = 0.25;
    private static final int STEPS = 5;
    private static final int BATCH = 52;
    private static final int FEATURES = 97;
    private static final int CLASSES = 10;
    private static final double RATE = 0.1;
    /** The tolerance of the loss, in roundings of float32 for each term of the longest sum. */
    private static final double ROUNDINGS = 2;

    private final GpuUnderCheck gpu;
    private final int width;

    /** @param sizes the sizes; the width is that of the hidden layer */
    GroupOnOneGpu(GpuUnderCheck gpu, WorkSizes sizes) {
        this.gpu = gpu;
        this.width = sizes.width();
    }

    GpuFinding run() {
        float[] alone;
        try (CheckedMachine machine = new CheckedMachine(this::engine)) {
            alone = trained(machine.machine());
        }
        try (MachineGroup group = MachineGroup.of(provider(), "any", MEMBERS, new MachineOptions())) {
            group.dataParallel();
            float[] together = trained(group);
            double largest = largestDifference(alone, together);
            return GpuFinding.of(
                    Map.of(
                            "exchanges",
                            (double) group.stats().exchanges(),
                            "largest difference, of its bound",
                            largest),
                    "%d machines on one GPU trained %d steps in data parallel as one does: the losses differ by %.2f of the"
                            + " bound for rounding; %d exchanges, %s",
                    MEMBERS,
                    STEPS,
                    largest,
                    group.stats().exchanges(),
                    GroupOnGpus.way(group));
        }
    }

    private Engine engine() {
        return gpu.engines().apply(EngineSettings.DEFAULT);
    }

    private MockProvider provider() {
        long memory;
        try (Engine engine = engine()) {
            memory = engine.memoryBytes();
        }
        return new MockProvider(
                MockSettings.STANDARD.withEngine(this::engine).withQuota((long) (SHARE_OF_MEMORY * memory)));
    }

    private double largestDifference(float[] alone, float[] together) {
        double largest = 0;
        for (int step = 0; step < STEPS; step++) {
            double bound = ROUNDINGS * Math.max(width, BATCH) * Math.ulp(1f) * Math.abs(alone[step]);
            double difference = Math.abs(alone[step] - together[step]) / bound;
            // The negated comparison also fails for NaN.
            if (!(difference <= 1)) {
                throw new WrongAnswerException("the loss of step " + step + " in data parallel is " + together[step]
                        + ", expected " + alone[step] + " as on one machine, within " + bound);
            }
            largest = Math.max(largest, difference);
        }
        if (!(alone[STEPS - 1] < alone[0])) {
            throw new WrongAnswerException("training went from a loss of " + alone[0] + " to " + alone[STEPS - 1]
                    + ", expected a smaller one");
        }
        return largest;
    }

    /** Returns the loss of each step. */
    private float[] trained(MachineOps machine) {
        RemoteMachine self = machine.self();
        self.manualSeed(7);
        Module model = new Sequential(new Linear(FEATURES, width), new ReLU(), new Linear(width, CLASSES)).to(self);
        SGD optimizer = new SGD(model.parameters(), RATE);
        Tensor samples = machine.tensor(samples(), BATCH, FEATURES);
        Tensor labels = machine.tensor(labels());
        float[] losses = new float[STEPS];
        for (int step = 0; step < STEPS; step++) {
            try (Scope scope = self.scope()) {
                optimizer.zeroGrad();
                Tensor loss = Functional.crossEntropy(model.forward(samples), labels);
                loss.backward();
                optimizer.step();
                losses[step] = (float) loss.itemDouble();
            }
        }
        return losses;
    }

    private static float[] samples() {
        Random random = new Random(3);
        float[] samples = new float[BATCH * FEATURES];
        for (int index = 0; index < samples.length; index++) {
            samples[index] = (float) random.nextGaussian();
        }
        return samples;
    }

    private static long[] labels() {
        return new Random(5).longs(BATCH, 0, CLASSES).toArray();
    }
}
