package dev.outpost.models.training.data;

import java.util.Map;

/**
 * Batches without an end, epoch after epoch. One that is moved to where another one stood gives the same batches from there on.
 *
 * @param <B> a batch, on this side
 */
public interface TrainingData<B> extends AutoCloseable {
    /** The next batch. May wait for a store. */
    B next();

    /** Where it stands: behind the batch that was given last. */
    Map<String, Long> position();

    /** Goes on from there. */
    void moveTo(Map<String, Long> position);

    /** How many epochs have passed, the present one in part. */
    double epoch();

    @Override
    default void close() {}
}
