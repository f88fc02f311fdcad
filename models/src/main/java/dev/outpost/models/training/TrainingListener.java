package dev.outpost.models.training;

/**
 * Is told how training goes, such as by a sink for TensorBoard or MLflow. Called by the thread that trains; what it throws ends
 * training.
 */
public interface TrainingListener {
    /**
     * Training begins, or goes on.
     *
     * @param step the last step that was made already; what was told of later ones has not happened
     * @param steps how many there will be altogether
     */
    default void began(long step, long steps) {}

    /** The loss of a step was read, which is some steps later. */
    default void stepped(TrainingStep step) {}

    default void evaluated(Evaluation evaluation) {}

    /** A checkpoint is whole; told behind a later step. */
    default void saved(SavedCheckpoint checkpoint) {}

    /** Training has ended, and all is written. */
    default void ended(TrainingSummary summary) {}
}
