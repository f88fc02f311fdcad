package dev.outpost.gpucheck.machine;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Checks steps that upload a batch and change a matrix without waiting: uploads take the memory of earlier ones in turns while graphs of
 * earlier steps run. The results must have the same bits as those of steps that read each value, which are never graphs.
 */
final class UploadsOnGpu {
    private static final int STEPS = 60;
    private static final int BATCH = 48;
    private static final int FEATURES = 160;
    private static final double RATE = 1e-3;

    private final GpuUnderCheck gpu;

    UploadsOnGpu(GpuUnderCheck gpu) {
        this.gpu = gpu;
    }

    GpuFinding run() {
        try (CheckedMachine machine = new CheckedMachine(() -> gpu.engines().apply(EngineSettings.DEFAULT))) {
            List<byte[]> expected =
                    steps(machine.machine(), value -> value.fetch().join());
            List<byte[]> found = steps(machine.machine(), _ -> {});
            for (int step = 0; step < expected.size(); step++) {
                if (!Arrays.equals(expected.get(step), found.get(step))) {
                    throw new WrongAnswerException("the result of step " + step + " of " + STEPS
                            + " differs where steps are not waited for, at byte "
                            + Arrays.mismatch(expected.get(step), found.get(step)));
                }
            }
            machine.requireNothingLeft();
            return GpuFinding.of(
                    Map.of("steps", (double) STEPS),
                    "%d steps with an upload each have the bits of steps that are computed op by op",
                    STEPS);
        }
    }

    /** Returns the result of each step, and the matrix at the end. */
    private static List<byte[]> steps(RemoteMachine machine, Consumer<Tensor> look) {
        Random random = new Random(11);
        List<CompletableFuture<HostTensor>> coming = new ArrayList<>();
        Tensor matrix = machine.tensor(numbers(random, FEATURES, FEATURES));
        for (int step = 0; step < STEPS; step++) {
            try (Tensor batch = machine.tensor(numbers(random, BATCH, FEATURES));
                    Tensor product = looked(batch.matmul(matrix), look);
                    Tensor bent = looked(product.tanh(), look);
                    Tensor slope = looked(batch.t().matmul(bent), look);
                    Tensor change = looked(slope.mul(RATE), look)) {
                coming.add(bent.fetch());
                Tensor next = looked(matrix.sub(change), look);
                matrix.close();
                matrix = next;
            }
        }
        coming.add(matrix.fetch());
        matrix.close();
        return coming.stream().map(value -> value.join().bytes()).toList();
    }

    private static Tensor looked(Tensor value, Consumer<Tensor> look) {
        look.accept(value);
        return value;
    }

    private static HostTensor numbers(Random random, int rows, int columns) {
        float[] numbers = new float[rows * columns];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(numbers, rows, columns);
    }
}
