package dev.outpost.optim;

/** Multiplies the learning rate by gamma each time a fixed number of steps has passed. */
public final class StepLR extends LearningRateSchedule {
    private final long stepSize;
    private final double gamma;

    /**
     * Multiplies the rates of all groups by gamma after each {@code stepSize} calls of {@link #step}.
     *
     * {@snippet file="TrainingExamplesTest.java" region="stepLR"}
     */
    public StepLR(Optimizer optimizer, long stepSize, double gamma) {
        super(optimizer);
        requirePositive("stepSize", stepSize);
        this.stepSize = stepSize;
        this.gamma = gamma;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return base * Math.pow(gamma, Math.floorDiv(steps, stepSize));
    }
}
