package dev.outpost.optim;

import java.util.Arrays;

/** Multiplies the learning rate by gamma at each milestone. */
public final class MultiStepLR extends LearningRateSchedule {
    private final double gamma;
    private final long[] milestones;

    /** The rate is {@code base · gamma^m} after {@code m} of the milestones, which are numbers of steps. */
    public MultiStepLR(Optimizer optimizer, double gamma, long... milestones) {
        super(optimizer);
        this.gamma = gamma;
        this.milestones = milestones.clone();
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        long reached = Arrays.stream(milestones)
                .filter(milestone -> milestone <= steps)
                .count();
        return base * Math.pow(gamma, reached);
    }
}
