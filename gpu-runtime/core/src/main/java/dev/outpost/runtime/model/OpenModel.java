package dev.outpost.runtime.model;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A model that can be run. One thread at a time runs it; any thread closes it behind the last run. */
public interface OpenModel extends AutoCloseable {
    /**
     * Runs it once.
     *
     * @param inputs in the model's own order
     * @param outputs where its outputs go, in its own order
     * @param isStopped asked from time to time, by another thread; the run ends early where it says yes
     * @throws dev.outpost.types.OutpostException where the inputs are not the model's, where an output has another type, or
     *     where the run failed; of kind external where what ran it is gone
     */
    void run(List<ModelValue> inputs, List<ModelValue> outputs, BooleanSupplier isStopped);

    @Override
    void close();
}
