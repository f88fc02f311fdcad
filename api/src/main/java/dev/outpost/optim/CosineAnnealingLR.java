package dev.outpost.optim;

/** Lowers the learning rate to a minimum along half a cosine, and raises it again (Loshchilov and Hutter, 2017). */
public final class CosineAnnealingLR extends LearningRateSchedule {
    private final long halfPeriod;
    private final double minimum;

    /**
     * Uses a minimum of 0.
     *
     * {@snippet file="TrainingExamplesTest.java" region="cosineAnnealingLR"}
     *
     * @param halfPeriod the steps from the largest to the smallest rate (T_max)
     */
    public CosineAnnealingLR(Optimizer optimizer, long halfPeriod) {
        this(optimizer, halfPeriod, 0);
    }

    /**
     * @param halfPeriod the steps from the largest to the smallest rate (T_max)
     */
    public CosineAnnealingLR(Optimizer optimizer, long halfPeriod, double minimum) {
        super(optimizer);
        requirePositive("halfPeriod", halfPeriod);
        this.halfPeriod = halfPeriod;
        this.minimum = minimum;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        return minimum + (base - minimum) * (1 + Math.cos(Math.PI * steps / halfPeriod)) / 2;
    }
}
