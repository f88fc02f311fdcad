package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.data.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import dev.outpost.sharding.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Trains a model whose two halves are on different machines. While the second machine computes a part of the batch, the first one
 * computes the next part. Argument: the provider of the machines.
 */
public final class PipelineOverMachines {
    private static final int STEPS = 10;
    private static final int MICRO_BATCHES = 8;

    private PipelineOverMachines() {}

    public static void main(String[] args) {
        String provider = args.length > 0 ? args[0] : "mock";
        double[] losses = train(provider, 2);
        double[] expected = train(provider, 1);
        // The losses differ by rounding, because a sum over a batch has another order.
        for (int step = 0; step < STEPS; step++) {
            System.out.printf("step %d: loss %.5f, on one machine %.5f%n", step + 1, losses[step], expected[step]);
        }
    }

    private static double[] train(String provider, int machines) {
        TensorDataset digits = Digits.load().rows(Permutation.of(128, 0));
        try (MachineGroup group = MachineGroup.of(provider, "any", machines)) {
            // The stage "first" is on the first machine of the group, and the stage "second" is on the last one.
            group.signals(Signals.of(Map.of(
                    "first", Signal.shard(0, List.of(0)),
                    "second", Signal.shard(0, List.of(machines - 1)))));
            group.manualSeed(0);
            Sequential first = new Sequential(new Linear(Digits.PIXELS, 64), new Tanh());
            Sequential second = new Sequential(new Linear(64, 64), new Tanh(), new Linear(64, 10));
            first.to(group, "first");
            second.to(group, "second");
            List<Parameter> parameters = new ArrayList<>(first.parameters());
            parameters.addAll(second.parameters());
            SGD optimizer = new SGD(parameters, 0.1);

            Pipeline pipeline = new Pipeline(
                    group,
                    PipelineSchedule.Kind.ONE_FORWARD_ONE_BACKWARD,
                    MICRO_BATCHES,
                    List.of(
                            new Pipeline.Stage("first", first::forward),
                            new Pipeline.Stage("second", second::forward)));
            if (machines > 1) {
                System.out.println(pipeline.schedule().explain());
            }
            double[] losses = new double[STEPS];
            for (int step = 0; step < STEPS; step++) {
                try (Scope scope = group.scope()) {
                    optimizer.zeroGrad();
                    Tensor loss = pipeline.step(digits.x(), digits.y(), Functional::crossEntropy);
                    optimizer.step();
                    losses[step] = loss.itemDouble();
                }
            }
            return losses;
        }
    }
}
