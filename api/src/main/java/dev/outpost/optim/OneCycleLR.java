package dev.outpost.optim;

import dev.outpost.types.OpException;

/**
 * Raises the learning rate to a maximum and lowers it to almost nothing, along half cosines, within a given number of steps (Smith and
 * Topin, 2018). It ignores the group's own learning rate; momentum stays as it is.
 */
public final class OneCycleLR extends LearningRateSchedule {
    private static final double START_DIVISOR = 25;
    private static final double END_DIVISOR = 1e4;

    private final double maximum;
    private final long totalSteps;
    private final double peak;
    private final double start;
    private final double end;

    /** Rises for the first 30 % of the steps. */
    public OneCycleLR(Optimizer optimizer, double maximum, long totalSteps) {
        this(optimizer, maximum, totalSteps, 0.3);
    }

    /** @param rising the share of the steps in which it rises */
    public OneCycleLR(Optimizer optimizer, double maximum, long totalSteps, double rising) {
        super(optimizer);
        requirePositive("totalSteps", totalSteps);
        this.maximum = maximum;
        this.totalSteps = totalSteps;
        this.peak = rising * totalSteps - 1;
        this.start = maximum / START_DIVISOR;
        this.end = start / END_DIVISOR;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        if (steps > totalSteps) {
            throw new OpException("OneCycleLR", "there are " + totalSteps + " steps, got step " + steps);
        }
        return steps <= peak
                ? between(start, maximum, steps / peak)
                : between(maximum, end, (steps - peak) / (totalSteps - 1 - peak));
    }

    private static double between(double from, double to, double progress) {
        return to + (from - to) / 2 * (1 + Math.cos(Math.PI * progress));
    }
}
