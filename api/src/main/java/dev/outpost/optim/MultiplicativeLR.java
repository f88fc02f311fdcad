package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import java.util.function.LongToDoubleFunction;

/** Multiplies the learning rate at each step by a function of the step (MultiplicativeLR). */
public final class MultiplicativeLR extends LearningRateSchedule {
    private final LongToDoubleFunction factor;
    private long known;
    private double product = 1;

    /** @param factor the function of the step's number, which begins at 1 */
    public MultiplicativeLR(Optimizer optimizer, LongToDoubleFunction factor) {
        super(optimizer);
        this.factor = ArgumentChecks.required(factor, "the factor");
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        if (steps < known) {
            known = 0;
            product = 1;
        }
        while (known < steps) {
            known++;
            product *= factor.applyAsDouble(known);
        }
        return base * product;
    }
}
