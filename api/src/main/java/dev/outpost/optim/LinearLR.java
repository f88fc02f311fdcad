package dev.outpost.optim;

/** Multiplies the learning rate by a factor that changes linearly over some steps and then stays. With a start below 1 it is a warm-up. */
public final class LinearLR extends LearningRateSchedule {
    private final double startFactor;
    private final double endFactor;
    private final long totalSteps;

    /**
     * The rate after {@code n} steps is {@code base · (startFactor + (endFactor - startFactor) · min(n, totalSteps) / totalSteps)}.
     */
    public LinearLR(Optimizer optimizer, double startFactor, double endFactor, long totalSteps) {
        super(optimizer);
        requirePositive("totalSteps", totalSteps);
        this.startFactor = startFactor;
        this.endFactor = endFactor;
        this.totalSteps = totalSteps;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        double progress = (double) Math.min(steps, totalSteps) / totalSteps;
        return base * (startFactor + (endFactor - startFactor) * progress);
    }
}
