package dev.outpost.internal.vmap;

import dev.outpost.Tensor;
import dev.outpost.internal.Internals;

/**
 * The storages of all examples, of which a mapped function sees one.
 *
 * @param level of the map
 * @param physical all of them, {@code [examples, ...]}: whole and row-major, so that the storage of an example is a row
 */
public record BatchedTensor(BatchLevel level, Tensor physical) {

    /** The same, with a handle of its own. */
    public BatchedTensor another() {
        return new BatchedTensor(level, Internals.unscoped(() -> Internals.another(physical)));
    }
}
