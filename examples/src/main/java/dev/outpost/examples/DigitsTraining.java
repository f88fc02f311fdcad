package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.autograd.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import dev.outpost.types.*;
import java.util.function.Consumer;

/**
 * Trains a classifier of handwritten digits. The images are uploaded once, and the machine selects the batches. A training
 * step does not wait, and an epoch waits for two numbers.
 */
public final class DigitsTraining {
    /** The number of images that are not used for training. */
    public static final int HELD_OUT = 360;

    private static final int BATCH_SIZE = 64;
    private static final double LEARNING_RATE = 2e-3;

    /**
     * The result of an epoch.
     *
     * @param number number of the epoch, from 1
     * @param loss the mean loss of the training images during the epoch
     * @param accuracy the fraction of held-out images that are classified correctly after it
     */
    public record Epoch(int number, double loss, double accuracy) {}

    private final RemoteMachine machine;
    private final BatchSampler sampler;
    private final Tensor trainX;
    private final Tensor trainY;
    private final Tensor testX;
    private final Tensor testY;
    private final Sequential model;
    private final AdamW optimizer;

    /** @param seed the seed of the split, the weights, the order of the images and the dropout */
    public DigitsTraining(RemoteMachine machine, long seed) {
        this.machine = machine;
        Digits.Split digits = Digits.split(seed, HELD_OUT);
        trainX = machine.tensor(digits.train().x());
        trainY = machine.tensor(digits.train().y());
        testX = machine.tensor(digits.test().x());
        testY = machine.tensor(digits.test().y());
        sampler = new BatchSampler(digits.train().size(), BATCH_SIZE).shuffle(seed);
        machine.manualSeed(seed);
        model = DigitsModel.create().to(machine);
        optimizer = new AdamW(model.parameters(), LEARNING_RATE);
    }

    public Sequential model() {
        return model;
    }

    /**
     * Trains.
     *
     * @return the final accuracy on the held-out images
     */
    public double run(int epochs, Consumer<Epoch> listener) {
        double accuracy = accuracy();
        for (int number = 1; number <= epochs; number++) {
            double loss = epoch(number);
            accuracy = accuracy();
            listener.accept(new Epoch(number, loss, accuracy));
        }
        return accuracy;
    }

    /** Returns the mean loss, which the machine sums up. */
    private double epoch(int number) {
        model.train();
        int[] order = sampler.order(number);
        try (Tensor images = machine.tensor(HostTensor.of(order).to(DType.INT64));
                Tensor total = machine.zeros()) {
            for (int from = 0; from < order.length; from += BATCH_SIZE) {
                try (var step = machine.scope()) {
                    Tensor batch = images.slice(0, from, Math.min(from + BATCH_SIZE, order.length));
                    total.add_(step(batch).mul(batch.numel()));
                }
            }
            return total.itemDouble() / order.length;
        }
    }

    private Tensor step(Tensor batch) {
        optimizer.zeroGrad();
        Tensor loss =
                Functional.crossEntropy(model.forward(trainX.indexSelect(0, batch)), trainY.indexSelect(0, batch));
        loss.backward();
        optimizer.step();
        return loss.detach();
    }

    /** Returns the fraction of the held-out images that are classified correctly. */
    public double accuracy() {
        model.eval();
        try (var scope = machine.scope()) {
            return GradMode.noGrad(() ->
                            model.forward(testX).argmax(1).eq(testY).float32().mean())
                    .itemDouble();
        }
    }
}
