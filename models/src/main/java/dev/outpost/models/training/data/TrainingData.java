package dev.outpost.models.training.data;

import java.util.Map;

/**
 * An endless sequence of batches, epoch after epoch. The same position always has the same batches.
 *
 * @param <B> a batch on the client
 */
public interface TrainingData<B> extends AutoCloseable {
    /** Returns the next batch. May wait for a store. */
    B next();

    /** Returns the position after the last returned batch. */
    Map<String, Long> position();

    /** Continues from a position. */
    void moveTo(Map<String, Long> position);

    /** Returns the number of epochs so far, with the fraction of the present one. */
    double epoch();

    @Override
    default void close() {}
}
