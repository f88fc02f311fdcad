package dev.outpost.optim;

import dev.outpost.types.OpException;

/**
 * Moves the learning rate to a final value within some steps and keeps it there, for averaging weights
 * (torch.optim.swa_utils.SWALR).
 */
public final class SWALR extends LearningRateSchedule {
    private final double last;
    private final long annealSteps;
    private final boolean isLinear;

    /** Moves along half a cosine within 10 steps. */
    public SWALR(Optimizer optimizer, double last) {
        this(optimizer, last, 10, false);
    }

    /**
     * Creates a schedule with all of its settings.
     *
     * @param last the learning rate at the end (swa_lr)
     * @param annealSteps the number of steps until then; 0 for none
     * @param linear true for a line instead of half a cosine
     */
    public SWALR(Optimizer optimizer, double last, long annealSteps, boolean linear) {
        super(optimizer);
        if (annealSteps < 0) {
            throw new OpException("SWALR", "the number of steps must not be negative, got " + annealSteps);
        }
        this.last = last;
        this.annealSteps = annealSteps;
        isLinear = linear;
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        double progress = annealSteps == 0 ? 1 : Math.min(1, (double) steps / annealSteps);
        double share = isLinear ? progress : (1 - Math.cos(Math.PI * progress)) / 2;
        return last * share + base * (1 - share);
    }
}
