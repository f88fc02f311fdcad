package dev.outpost.models;

import dev.outpost.Tensor;
import java.util.function.Supplier;

/**
 * Changes of a model's layers of which each row of a batch has its own. They are numbered from 1 on; rows with the number 0 have none.
 * One thread at a time.
 */
public interface RowAdapters extends AutoCloseable {
    /** How many there are. */
    int count();

    /**
     * Calls layers whose rows have adapters.
     *
     * @param numbers of the rows that are computed, {@code [rows]}, int64
     * @param call what calls layers with inputs {@code [rows, ...]}
     * @return the call's answer
     */
    Tensor with(Tensor numbers, Supplier<Tensor> call);

    /** Takes them off the model, and lets go of what they hold. */
    @Override
    void close();
}
