package dev.outpost.optim;

import dev.outpost.types.OpException;

/** Lowers the learning rate to 0 within some steps, by a power of the remaining share of the steps (PolynomialLR). */
public final class PolynomialLR extends LearningRateSchedule {
    private final long totalSteps;
    private final double power;

    /** @param power the power; 1 for a line */
    public PolynomialLR(Optimizer optimizer, long totalSteps, double power) {
        super(optimizer);
        if (totalSteps <= 0) {
            throw new OpException("PolynomialLR", "totalSteps must be above 0, got " + totalSteps);
        }
        this.totalSteps = totalSteps;
        this.power = power;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return base * Math.pow(1 - (double) Math.min(steps, totalSteps) / totalSteps, power);
    }
}
