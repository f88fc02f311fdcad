package dev.outpost.optim;

/** Multiplies the learning rate by a factor for some steps, and uses the learning rate itself afterwards. */
public final class ConstantLR extends LearningRateSchedule {
    private final double factor;
    private final long totalSteps;

    /** The rate is {@code base · factor} for the first {@code totalSteps} steps, and then {@code base}. */
    public ConstantLR(Optimizer optimizer, double factor, long totalSteps) {
        super(optimizer);
        this.factor = factor;
        this.totalSteps = totalSteps;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return steps < totalSteps ? base * factor : base;
    }
}
