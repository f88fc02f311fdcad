package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import dev.outpost.types.*;
import java.util.List;

/** Trains on handwritten digits with a program for each step and one request for each epoch. Further argument: epochs. */
public final class DigitsByScan {
    private static final int BATCH_SIZE = 64;
    private static final int HELD_OUT = 360;

    private DigitsByScan() {}

    public static void main(String[] args) {
        ExampleArguments arguments = ExampleArguments.of(args);
        try (var machine = arguments.machine()) {
            train(machine, arguments.number(0, 10));
        }
    }

    /** Prints the mean loss of each epoch. */
    public static void train(RemoteMachine machine, int epochs) {
        Digits.Split digits = Digits.split(0, HELD_OUT);
        Tensor images = machine.tensor(digits.train().x());
        Tensor labels = machine.tensor(digits.train().y());
        Sequential model = DigitsModel.create().to(machine);
        AdamW optimizer = new AdamW(model.parameters(), 2e-3);
        BatchSampler sampler = new BatchSampler(digits.train().size(), BATCH_SIZE).shuffle(0);
        long steps = digits.train().size() / BATCH_SIZE;

        // The order of an epoch is passed unchanged from step to step; the last input is the number of the step.
        Program step = machine.program(in -> {
            Tensor order = in.getFirst();
            Tensor batch = order.indexSelect(0, in.getLast().reshape(1)).flatten();
            optimizer.zeroGrad();
            Tensor loss =
                    Functional.crossEntropy(model.forward(images.indexSelect(0, batch)), labels.indexSelect(0, batch));
            loss.backward();
            optimizer.step();
            return List.of(order, loss);
        });
        for (int epoch = 1; epoch <= epochs; epoch++) {
            Tensor order = machine.tensor(HostTensor.of(sampler.order(epoch)).to(DType.INT64))
                    .slice(0, 0, steps * BATCH_SIZE)
                    .reshape(steps, BATCH_SIZE);
            double sum = 0;
            for (List<HostTensor> loss :
                    machine.scan(step, List.of(order), steps).emissions()) {
                sum += loss.getFirst().getDouble(0);
            }
            System.out.printf("epoch %d: loss %.4f%n", epoch, sum / steps);
        }
    }
}
