package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;

/** Fits a line to noisy points with a model, a loss and an optimizer. */
public final class LinearRegression {
    private static final double SLOPE = 3;
    private static final double INTERCEPT = -1;

    private LinearRegression() {}

    public static void main(String[] args) {
        ExampleArguments arguments = ExampleArguments.of(args);
        try (var machine = arguments.machine()) {
            Linear line = fit(machine, arguments.number(0, 200));
            System.out.printf(
                    "y = %.3f x + %.3f, where the points were drawn around y = %.0f x + %.0f%n",
                    line.weight().tensor().itemDouble(), line.bias().tensor().itemDouble(), SLOPE, INTERCEPT);
        }
    }

    /** Returns the line after {@code steps} steps. */
    public static Linear fit(RemoteMachine machine, int steps) {
        machine.manualSeed(0);
        Tensor x = machine.rand(256, 1).mul(4).sub(2);
        Tensor y = x.mul(SLOPE).add(INTERCEPT).add(machine.randn(256, 1).mul(0.1));

        Linear line = new Linear(1, 1);
        line.to(machine);
        SGD optimizer = new SGD(line.parameters(), 0.05).momentum(0.9);
        for (int step = 0; step < steps; step++) {
            try (var scope = machine.scope()) {
                optimizer.zeroGrad();
                Functional.mseLoss(line.forward(x), y).backward();
                optimizer.step();
            }
        }
        return line;
    }
}
