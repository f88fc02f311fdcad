package dev.outpost.models.training;

/**
 * How training ended.
 *
 * @param steps all, those before it went on included
 * @param loss of the last step; NaN where there was none
 * @param bestLoss of all evaluations; NaN where there was none
 * @param bestStep behind which the best evaluation was made; 0 where there was none
 * @param end why it ended
 */
public record TrainingSummary(long steps, double loss, double bestLoss, long bestStep, End end) {
    /** Why training ends. */
    public enum End {
        /** All steps were made. */
        DONE,
        /** Evaluations became no better. */
        NO_IMPROVEMENT,
        /** {@link Trainer#stop} was called. */
        STOPPED
    }
}
