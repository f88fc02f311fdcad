package dev.outpost.optim;

import dev.outpost.types.OpException;

/**
 * Lowers the learning rate to a minimum along half a cosine, and then starts again from the learning rate, in periods that may grow
 * (Loshchilov and Hutter, 2017; CosineAnnealingWarmRestarts).
 */
public final class CosineAnnealingWarmRestarts extends LearningRateSchedule {
    private final long firstPeriod;
    private final int growth;
    private final double minimum;

    /** Uses periods of one length, and a minimum of 0. */
    public CosineAnnealingWarmRestarts(Optimizer optimizer, long firstPeriod) {
        this(optimizer, firstPeriod, 1, 0);
    }

    /**
     * Creates a schedule with all of its settings.
     *
     * @param firstPeriod the steps of the first period (T_0)
     * @param growth the factor by which a period is longer than the previous period (T_mult)
     * @param minimum the lowest learning rate (eta_min)
     */
    public CosineAnnealingWarmRestarts(Optimizer optimizer, long firstPeriod, int growth, double minimum) {
        super(optimizer);
        if (firstPeriod <= 0 || growth < 1) {
            throw new OpException(
                    "CosineAnnealingWarmRestarts",
                    "period and growth must be at least 1, got " + firstPeriod + " and " + growth);
        }
        this.firstPeriod = firstPeriod;
        this.growth = growth;
        this.minimum = minimum;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        long period = firstPeriod;
        long within = steps;
        if (growth == 1) {
            within %= period;
        }
        while (within >= period) {
            within -= period;
            period *= growth;
        }
        return minimum + (base - minimum) * (1 + Math.cos(Math.PI * within / period)) / 2;
    }
}
