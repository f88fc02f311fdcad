package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import java.util.Arrays;

/** Trains a convolutional network with pooling on images of handwritten digits. Further argument: steps. */
public final class ConvolutionalDigits {
    private static final int SIDE = 8;
    private static final int BATCH_SIZE = 64;

    private ConvolutionalDigits() {}

    public static void main(String[] args) {
        ExampleArguments arguments = ExampleArguments.of(args);
        int steps = arguments.number(0, 100);
        try (var machine = arguments.machine()) {
            double[] losses = train(machine, steps).toDoubleArray();
            System.out.printf("loss %.4f, after %d steps %.4f%n", losses[0], steps, losses[steps - 1]);
        }
    }

    static Sequential model() {
        return new Sequential(
                new Conv2d(1, 16, 3, 1, 1),
                new ReLU(),
                new MaxPool2d(2),
                new Conv2d(16, 32, 3, 1, 1),
                new ReLU(),
                new MaxPool2d(2),
                new Flatten(),
                new Linear(32 * 2 * 2, 10));
    }

    /** Returns the loss of each step. */
    public static Tensor train(RemoteMachine machine, int steps) {
        TensorDataset digits = Digits.load();
        Tensor images = machine.tensor(digits.x()).view(digits.size(), 1, SIDE, SIDE);
        Tensor labels = machine.tensor(digits.y());
        int[] order = new BatchSampler(digits.size(), BATCH_SIZE).shuffle(0).order(1);

        machine.manualSeed(0);
        Sequential model = model().to(machine);
        AdamW optimizer = new AdamW(model.parameters(), 5e-3);
        Tensor losses = machine.zeros(steps);
        for (int step = 0; step < steps; step++) {
            try (var scope = machine.scope()) {
                int from = step * BATCH_SIZE % (order.length - BATCH_SIZE);
                Tensor batch = machine.tensor(Arrays.copyOfRange(order, from, from + BATCH_SIZE))
                        .int64();
                optimizer.zeroGrad();
                Tensor loss = Functional.crossEntropy(
                        model.forward(images.indexSelect(0, batch)), labels.indexSelect(0, batch));
                loss.backward();
                optimizer.step();
                losses.select(0, step).copy_(loss.detach());
            }
        }
        return losses;
    }
}
