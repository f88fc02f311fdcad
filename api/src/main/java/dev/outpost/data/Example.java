package dev.outpost.data;

import dev.outpost.HostTensor;

/**
 * The input and the target of an example, or those of a batch of examples, whose tensors then have one more dimension
 * in front.
 *
 * @param x the input, or the inputs {@code [examples, …]}
 * @param y the target, or the targets {@code [examples, …]}
 */
public record Example(HostTensor x, HostTensor y) {

    /** Returns the number of examples in a batch. */
    public int size() {
        return (int) x.shape().size(0);
    }
}
