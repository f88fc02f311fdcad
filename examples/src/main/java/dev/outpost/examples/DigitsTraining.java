package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.autograd.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import dev.outpost.types.*;
import java.util.function.Consumer;

/**
 * Learns to read handwritten digits. The images are uploaded once and batches are picked on the machine; a training
 * step waits for nothing, and an epoch for two numbers.
 */
public final class DigitsTraining {
    /** Images that are not learnt from. */
    public static final int HELD_OUT = 360;

    private static final int BATCH_SIZE = 64;
    private static final double LEARNING_RATE = 2e-3;

    /**
     * The result of an epoch.
     *
     * @param number from 1
     * @param loss the mean over the training images, while they were learnt
     * @param accuracy the share of the held-out images that were read rightly after it
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

    /** @param seed of the split, the weights, the order of the images and the dropout */
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
     * @return the accuracy on the held-out images in the end
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

    /** The mean loss; it is summed up on the machine. */
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

    /** The share of the held-out images that are read rightly. */
    public double accuracy() {
        model.eval();
        try (var scope = machine.scope()) {
            return GradMode.noGrad(() ->
                            model.forward(testX).argmax(1).eq(testY).float32().mean())
                    .itemDouble();
        }
    }
}
