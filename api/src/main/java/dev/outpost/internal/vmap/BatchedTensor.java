package dev.outpost.internal.vmap;

import dev.outpost.autograd.GradMode;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;

/**
 * The storages of all examples, of which a mapped function sees one.
 *
 * @param level of the map
 * @param physical all of them, {@code [examples, ...]}: whole and row-major, so that the storage of an example is a row
 */
public record BatchedTensor(BatchLevel level, TensorState physical) {

    /** The same, with a handle of its own. */
    public BatchedTensor another() {
        return new BatchedTensor(level, TensorScope.unscoped(() -> States.another(physical)));
    }

    /** The same examples, out of the sight of autograd around the map. */
    public BatchedTensor detached() {
        return new BatchedTensor(level, TensorScope.unscoped(() -> GradMode.noGrad(() -> States.detached(physical))));
    }
}
