package dev.outpost.models.training;

/**
 * Receives the events of training, for example to write them to TensorBoard or MLflow. Called by the training thread. An exception ends
 * training.
 */
public interface TrainingListener {
    /**
     * Called when training starts or resumes.
     *
     * @param step the last step that is done already; events about later steps that were received earlier are void
     * @param steps the total number of steps
     */
    default void began(long step, long steps) {}

    /** Called when the loss of a step was read. Some later steps may be under way already. */
    default void stepped(TrainingStep step) {}

    default void evaluated(Evaluation evaluation) {}

    /** Called when a checkpoint is complete, after a later step. */
    default void saved(SavedCheckpoint checkpoint) {}

    /** Called when training has ended, and all files are written. */
    default void ended(TrainingSummary summary) {}
}
