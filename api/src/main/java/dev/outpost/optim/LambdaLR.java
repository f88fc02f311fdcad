package dev.outpost.optim;

import java.util.function.LongToDoubleFunction;

/** Multiplies the learning rate by a function of the number of steps. */
public final class LambdaLR extends LearningRateSchedule {
    private final LongToDoubleFunction factor;

    /** The rate after {@code n} steps is {@code base · factor(n)}. */
    public LambdaLR(Optimizer optimizer, LongToDoubleFunction factor) {
        super(optimizer);
        this.factor = factor;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return base * factor.applyAsDouble(steps);
    }
}
