package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;

/**
 * Moves the learning rate up and down between two values (Smith, 2017; CyclicLR). It ignores the group's own learning rate; momentum stays
 * as it is.
 */
public final class CyclicLR extends LearningRateSchedule {
    /** The change of the height from cycle to cycle. */
    public enum Mode {
        /** All cycles have the same height. */
        TRIANGULAR,
        /** Each cycle has half the height of the cycle before. */
        TRIANGULAR2,
        /** The height shrinks by a factor at each step. */
        EXP_RANGE
    }

    private final double lowest;
    private final double highest;
    private final long up;
    private final long down;
    private final Mode mode;
    private final double gamma;

    /** Uses 2,000 steps up and 2,000 down, with cycles of the same height. */
    public CyclicLR(Optimizer optimizer, double lowest, double highest) {
        this(optimizer, lowest, highest, 2000, 2000, Mode.TRIANGULAR, 1);
    }

    /**
     * Creates a schedule with all of its settings.
     *
     * @param lowest the rate at which a cycle begins (base_lr)
     * @param highest the highest rate of the first cycle (max_lr)
     * @param up steps from the lowest to the highest
     * @param down steps from the highest to the lowest
     * @param gamma the factor of {@link Mode#EXP_RANGE}
     */
    public CyclicLR(Optimizer optimizer, double lowest, double highest, long up, long down, Mode mode, double gamma) {
        super(optimizer);
        if (up <= 0 || down <= 0) {
            throw new OpException("CyclicLR", "up and down must be above 0, got " + up + " and " + down);
        }
        this.lowest = lowest;
        this.highest = highest;
        this.up = up;
        this.down = down;
        this.mode = ArgumentChecks.required(mode, "the mode");
        this.gamma = gamma;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        double total = up + down;
        double cycle = Math.floor(1 + steps / total);
        double x = 1 + steps / total - cycle;
        double rising = up / total;
        double height = x <= rising ? x / rising : (x - 1) / (rising - 1);
        double scale = switch (mode) {
            case TRIANGULAR -> 1;
            case TRIANGULAR2 -> 1 / Math.pow(2, cycle - 1);
            case EXP_RANGE -> Math.pow(gamma, steps);
        };
        return lowest + (highest - lowest) * height * scale;
    }
}
