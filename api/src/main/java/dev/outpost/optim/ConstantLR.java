package dev.outpost.optim;

/** A factor for some steps, and the learning rate itself from then on. */
public final class ConstantLR extends LearningRateSchedule {
    private final double factor;
    private final long totalSteps;

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
