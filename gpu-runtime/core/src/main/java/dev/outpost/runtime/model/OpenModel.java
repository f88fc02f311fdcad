package dev.outpost.runtime.model;

import java.util.List;
import java.util.function.BooleanSupplier;

/** A model that can be run. One thread at a time runs it. Any thread may close it after the last run. */
public interface OpenModel extends AutoCloseable {
    /**
     * Runs the model once.
     *
     * @param inputs the inputs, in the order of the model's inputs
     * @param outputs the buffers that receive the outputs, in the order of the model's outputs
     * @param isStopped called from time to time by another thread; the run ends early if it returns true
     * @throws dev.outpost.types.OutpostException if the inputs are not the model's, if an output has another type, or
     *     if the run failed; of kind external if the host has ended
     */
    void run(List<ModelValue> inputs, List<ModelValue> outputs, BooleanSupplier isStopped);

    @Override
    void close();
}
