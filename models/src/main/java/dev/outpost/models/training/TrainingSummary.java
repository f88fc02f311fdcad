package dev.outpost.models.training;

/**
 * The result of training.
 *
 * @param steps number of steps, including those before a resume
 * @param loss the loss of the last step; NaN without one
 * @param bestLoss the best loss of all evaluations; NaN without one
 * @param bestStep the step of the best evaluation; 0 without one
 * @param end the reason of the end
 */
public record TrainingSummary(long steps, double loss, double bestLoss, long bestStep, End end) {
    /** The reason why training ended. */
    public enum End {
        /** All steps are done. */
        DONE,
        /** Evaluations did not improve any more. */
        NO_IMPROVEMENT,
        /** {@link Trainer#stop} was called. */
        STOPPED
    }
}
