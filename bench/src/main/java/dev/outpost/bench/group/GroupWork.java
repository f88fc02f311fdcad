package dev.outpost.bench.group;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.TransformerEncoderLayer;
import dev.outpost.nn.TransformerOptions;
import dev.outpost.optim.Adam;
import dev.outpost.optim.Optimizer;
import java.util.Arrays;

/** Programs whose batch is divided over the machines of a group; the batch size is the work. */
enum GroupWork {
    /** A training step of 784-1024-1024-10 with Adam. */
    MLP("mlp-adam", 512),
    /** A training step of two encoder layers of width 128 over 64 positions, with Adam. */
    TRANSFORMER("transformer-adam", 16),
    /** A product of rows with a square matrix of 1024, with no exchange except the sum that is read. */
    MATMUL("matmul-1024", 2048);

    private static final int PIXELS = 784;
    private static final int HIDDEN = 1024;
    private static final int CLASSES = 10;
    private static final int PLACES = 64;
    private static final int WIDTH = 128;
    private static final int SQUARE = 1024;

    private final String label;
    private final int batch;

    GroupWork(String label, int batch) {
        this.label = label;
        this.batch = batch;
    }

    String label() {
        return label;
    }

    /** Returns the whole batch, which one machine alone computes. */
    int batch() {
        return batch;
    }

    /** Returns a step on a group, which reads one number of its result. */
    Runnable step(MachineGroup group, int rows) {
        group.dataParallel();
        return switch (this) {
            case MLP ->
                training(
                        group,
                        new Sequential(
                                new Linear(PIXELS, HIDDEN),
                                new ReLU(),
                                new Linear(HIDDEN, HIDDEN),
                                new ReLU(),
                                new Linear(HIDDEN, CLASSES)),
                        group.tensor(ones(rows, PIXELS)),
                        rows);
            case TRANSFORMER -> {
                TransformerOptions options = TransformerOptions.of(WIDTH, 4)
                        .feedForward(4 * WIDTH)
                        .dropout(0)
                        .batchFirst(true);
                Module model = new Sequential(
                        new TransformerEncoderLayer(options),
                        new TransformerEncoderLayer(options),
                        new Linear(WIDTH, CLASSES));
                yield training(group, model, group.tensor(ones(rows, PLACES, WIDTH)), rows * PLACES);
            }
            case MATMUL -> {
                Tensor left = group.tensor(ones(rows, SQUARE));
                Tensor right = group.machine().tensor(ones(SQUARE, SQUARE));
                yield () -> left.matmul(right).mean().item();
            }
        };
    }

    private static Runnable training(MachineGroup group, Module model, Tensor inputs, int labels) {
        model.to(group.machine());
        Optimizer optimizer = new Adam(model.parameters(), 1e-3);
        Tensor classes = group.tensor(HostTensor.of(new long[labels], labels));
        return () -> {
            optimizer.zeroGrad();
            Tensor scores = model.forward(inputs).reshape(-1, CLASSES);
            Tensor loss = Functional.crossEntropy(scores, classes);
            loss.backward();
            optimizer.step();
            loss.item();
        };
    }

    private static HostTensor ones(long... sizes) {
        float[] values = new float[(int) Arrays.stream(sizes).reduce(1, (left, right) -> left * right)];
        Arrays.fill(values, 0.01f);
        return HostTensor.of(values, sizes);
    }
}
