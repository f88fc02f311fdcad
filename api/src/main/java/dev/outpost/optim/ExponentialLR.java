package dev.outpost.optim;

/** Multiplies the learning rate by gamma at every step. */
public final class ExponentialLR extends LearningRateSchedule {
    private final double gamma;

    /** The rate after {@code n} steps is {@code base · gamma^n}. */
    public ExponentialLR(Optimizer optimizer, double gamma) {
        super(optimizer);
        this.gamma = gamma;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return base * Math.pow(gamma, steps);
    }
}
