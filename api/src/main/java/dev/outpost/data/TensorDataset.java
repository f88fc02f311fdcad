package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;

/**
 * A dataset of two tensors.
 *
 * @param x the inputs, {@code [examples, …]}
 * @param y the targets, {@code [examples, …]}
 */
public record TensorDataset(HostTensor x, HostTensor y) implements Dataset {
    public TensorDataset {
        if (x.shape().rank() == 0
                || y.shape().rank() == 0
                || x.shape().size(0) != y.shape().size(0)) {
            throw new OpException(
                    "TensorDataset", "inputs and targets must be as many, got " + x.shape() + " and " + y.shape());
        }
    }

    @Override
    public int size() {
        return Math.toIntExact(x.shape().size(0));
    }

    @Override
    public Batch batch(int... indices) {
        return new Batch(x.rows(indices), y.rows(indices));
    }

    @Override
    public Batch all() {
        return new Batch(x, y);
    }

    /** Returns these examples as a dataset. */
    public TensorDataset rows(int... indices) {
        return new TensorDataset(x.rows(indices), y.rows(indices));
    }
}
