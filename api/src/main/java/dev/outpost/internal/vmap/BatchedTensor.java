package dev.outpost.internal.vmap;

import dev.outpost.autograd.GradMode;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;

/**
 * The storages of all examples. A mapped function sees one of them.
 *
 * @param level the map
 * @param physical all storages, {@code [examples, ...]}, whole and row-major, so that the storage of an example is a row
 */
public record BatchedTensor(BatchLevel level, TensorState physical) {

    /** Returns the same storages with a separate handle. */
    public BatchedTensor another() {
        return new BatchedTensor(level, TensorScope.unscoped(() -> States.another(physical)));
    }

    /** Returns the same examples, without tracking by the autograd graph around the map. */
    public BatchedTensor detached() {
        return new BatchedTensor(level, TensorScope.unscoped(() -> GradMode.noGrad(() -> States.detached(physical))));
    }
}
