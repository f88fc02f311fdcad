package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Takes the largest elements of windows at random places (Graham, 2014); see {@link Functional}. */
final class FractionalPooling {
    private final String op;
    private final int dims;
    private final Tensor input;
    private final long[] window;
    private final long[] output;

    FractionalPooling(int dims, Tensor input, long[] window, long[] output) {
        op = "fractional_max_pool" + dims + "d";
        this.dims = dims;
        this.input = input;
        Sizes.requireElements(op, dims, input.shape());
        this.window = Sizes.each(op, "the window", dims, window);
        this.output = Sizes.each(op, "the output", dims, output);
        for (int dim = 0; dim < dims; dim++) {
            if (this.output[dim] < 1
                    || this.window[dim] < 1
                    || this.output[dim] + this.window[dim] - 1 > input.size(dim - dims)) {
                throw new OpException(
                        op,
                        "the windows must fit, got " + Arrays.toString(window) + " for " + Arrays.toString(output)
                                + " of " + input.shape());
            }
        }
    }

    /** @param samples {@code [batch, channels, dimensions]} in [0, 1); for images, the number of the width comes first */
    ValuesAndIndices max(Tensor samples) {
        Tensor batch = input.dim() == dims + 2 ? input : input.unsqueeze(0);
        if (samples.dtype() != input.dtype()) {
            throw new OpException(
                    op, "samples must be of the input's dtype, got " + samples.dtype() + " and " + input.dtype());
        }
        if (!samples.shape().equals(Shape.of(batch.size(0), batch.size(1), dims))) {
            throw new OpException(op, "samples [batch, channels, " + dims + "] are needed, got " + samples.shape());
        }
        Tensor flat = null;
        for (int dim = 0; dim < dims; dim++) {
            long size = input.size(dim - dims);
            Tensor positions = places(samples.select(2, dims == 2 ? 1 - dim : dim), dim, size);
            flat = flat == null ? positions : flat.mul(size).add(positions);
        }
        long[] whole = new long[2 + dims];
        whole[0] = batch.size(0);
        whole[1] = batch.size(1);
        System.arraycopy(output, 0, whole, 2, dims);
        long elements = Arrays.stream(window).reduce(1, Math::multiplyExact);
        long count = Arrays.stream(output).reduce(1, Math::multiplyExact);
        Tensor indices = flat.permute(order()).reshape(whole[0], whole[1], count, elements);
        Tensor windows = batch.flatten(2, -1).gather(2, indices.flatten(2, 3)).view(indices.shape());
        ValuesAndIndices largest = windows.max(-1);
        Tensor where = indices.gather(-1, largest.indices().unsqueeze(-1)).squeeze(-1);
        return new ValuesAndIndices(shaped(largest.values().view(whole)), shaped(where.view(whole)));
    }

    private Tensor shaped(Tensor result) {
        return input.dim() == dims + 2 ? result : result.squeeze(0);
    }

    /**
     * Returns the indices of the windows' elements along a dimension. Their shape broadcasts as {@code [batch, channels, output, window,
     * output, window, ...]}.
     */
    private Tensor places(Tensor samples, int dim, long size) {
        double step = output[dim] == 1 ? 0 : (double) (size - window[dim]) / (output[dim] - 1);
        Tensor column = samples.unsqueeze(-1);
        Tensor numbers = samples.machine().arange(output[dim]).to(samples.dtype());
        Tensor starts =
                column.add(numbers).mul(step).trunc().sub(column.mul(step).trunc());
        Tensor isLast = numbers.eq(output[dim] - 1.0);
        Tensor all = starts.maskedFill(isLast, size - window[dim])
                .to(DType.INT64)
                .unsqueeze(-1)
                .add(samples.machine().arange(window[dim]));
        long[] sizes = new long[2 + 2 * dims];
        Arrays.fill(sizes, 1);
        sizes[0] = samples.size(0);
        sizes[1] = samples.size(1);
        sizes[2 + 2 * dim] = output[dim];
        sizes[3 + 2 * dim] = window[dim];
        return all.view(sizes);
    }

    /** Returns the order of dimensions with the outputs first, then the elements of their windows. */
    private int[] order() {
        int[] order = new int[2 + 2 * dims];
        order[1] = 1;
        for (int dim = 0; dim < dims; dim++) {
            order[2 + dim] = 2 + 2 * dim;
            order[2 + dims + dim] = 3 + 2 * dim;
        }
        return order;
    }
}
