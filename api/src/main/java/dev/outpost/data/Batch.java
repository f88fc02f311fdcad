package dev.outpost.data;

import dev.outpost.HostTensor;

/**
 * Some examples of a dataset, in the client's memory.
 *
 * @param x the inputs, {@code [examples, …]}
 * @param y the targets, {@code [examples, …]}
 */
public record Batch(HostTensor x, HostTensor y) {

    /** Returns the number of examples. */
    public int size() {
        return (int) x.shape().size(0);
    }
}
