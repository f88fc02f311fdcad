package dev.outpost.models;

import dev.outpost.Tensor;
import java.util.function.Supplier;

/**
 * Adapters of a model's layers, chosen for each row of a batch. Adapters are numbered from 1. Rows with the number 0 use none. Not
 * thread-safe.
 */
public interface RowAdapters extends AutoCloseable {
    /** Returns the number of adapters. */
    int count();

    /**
     * Runs a call whose rows use adapters.
     *
     * @param numbers the adapter number of each row, {@code [rows]}, int64
     * @param call calls layers with inputs {@code [rows, ...]}
     * @return the result of the call
     */
    Tensor with(Tensor numbers, Supplier<Tensor> call);

    /** Removes the adapters from the model, and releases their memory. */
    @Override
    void close();
}
