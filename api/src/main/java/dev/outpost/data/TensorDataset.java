package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.Objects;

/**
 * A dataset of two tensors. An element has one row of each.
 *
 * @param x the inputs, {@code [examples, …]}
 * @param y the targets, {@code [examples, …]}
 */
public record TensorDataset(HostTensor x, HostTensor y) implements Dataset<Example> {
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
    public Example item(int index) {
        Objects.checkIndex(index, size());
        return new Example(row(x, index), row(y, index));
    }

    static HostTensor row(HostTensor rows, int index) {
        long[] sizes = rows.shape().toArray();
        return rows.slice(index, index + 1L).reshape(Arrays.copyOfRange(sizes, 1, sizes.length));
    }

    /** Returns these examples as a dataset. */
    public TensorDataset rows(int... indices) {
        return new TensorDataset(x.rows(indices), y.rows(indices));
    }
}
