package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pooling to a given size: each element of the output has a window. Window i begins at ⌊i · size / count⌋ and ends before ⌈(i + 1) · size /
 * count⌉. See {@link Functional}.
 */
final class AdaptivePooling {
    private final int dims;
    private final Tensor input;
    private final long[] indices;

    /**
     * @param output the number of windows, one for all dimensions or one for each; null keeps the input's size
     */
    AdaptivePooling(String name, int dims, Tensor input, @Nullable Long... output) {
        String op = "adaptive_" + name + "_pool" + dims + "d";
        this.dims = dims;
        this.input = ArgumentChecks.required(input, "the input");
        Sizes.requireElements(op, dims, input.shape());
        if (output.length != 1 && output.length != dims) {
            throw new OpException(
                    op,
                    "the output needs one size or one for each of " + dims + " dimensions, got "
                            + Arrays.toString(output));
        }
        indices = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            Long given = output[output.length == 1 ? 0 : dim];
            indices[dim] = given == null ? size(dim) : given;
            if (indices[dim] < 0) {
                throw new OpException(op, "sizes of the output must not be negative, got " + Arrays.toString(output));
            }
        }
    }

    /** Returns a function that pools to a copy of the given sizes. */
    static <R> Function<Tensor, R> toSizes(@Nullable Long[] output, BiFunction<Tensor, @Nullable Long[], R> pooling) {
        @Nullable Long[] sizes = output.clone();
        return input -> pooling.apply(input, sizes);
    }

    private long size(int dim) {
        return input.size(dim - dims);
    }

    private long start(int dim, long place) {
        return place * size(dim) / indices[dim];
    }

    private long end(int dim, long place) {
        return -Math.floorDiv(-(place + 1) * size(dim), indices[dim]);
    }

    /** Returns the length of the longest window along a dimension. */
    private int longest(int dim) {
        long longest = 1;
        for (long place = 0; place < indices[dim]; place++) {
            longest = Math.max(longest, end(dim, place) - start(dim, place));
        }
        return Math.toIntExact(longest);
    }

    /** Returns the indices of the windows' elements, side by side. Shorter windows repeat their last element. */
    private long[] elements(int dim) {
        int longest = longest(dim);
        long[] elements = new long[Math.toIntExact(indices[dim] * longest)];
        for (int index = 0; index < elements.length; index++) {
            int place = index / longest;
            elements[index] = Math.min(start(dim, place) + index % longest, end(dim, place) - 1);
        }
        return elements;
    }

    private static Tensor windows(Tensor tensor, int axis, long[] elements, long places, int longest) {
        Tensor indices = tensor.machine().tensor(elements);
        return tensor.indexSelect(axis, indices).unflatten(axis, places, longest);
    }

    /** Computes the mean dimension by dimension: the mean of a window is the mean of its rows' means. */
    Tensor average() {
        Tensor means = input;
        for (int dim = 0; dim < dims; dim++) {
            means = average(means, dim);
        }
        return means;
    }

    private Tensor average(Tensor tensor, int dim) {
        int axis = input.dim() - dims + dim;
        long size = size(dim);
        if (indices[dim] == size) {
            return tensor;
        }
        if (indices[dim] != 0 && size % indices[dim] == 0) {
            return tensor.unflatten(axis, indices[dim], size / indices[dim]).mean(axis + 1);
        }
        int longest = longest(dim);
        double[] shares = new double[Math.toIntExact(indices[dim] * longest)];
        for (int index = 0; index < shares.length; index++) {
            int place = index / longest;
            long length = end(dim, place) - start(dim, place);
            shares[index] = index % longest < length ? 1.0 / length : 0;
        }
        long[] sizes = new long[dims - dim + 1];
        Arrays.fill(sizes, 1);
        sizes[0] = indices[dim];
        sizes[1] = longest;
        Tensor weights = tensor.machine().tensor(shares, sizes).to(tensor.dtype());
        Tensor elements = windows(tensor, axis, elements(dim), indices[dim], longest);
        return elements.maskedFill(weights.eq(0), 0).mul(weights).sum(axis + 1);
    }

    /** Returns the first of the largest elements of each window, and its index in its line, plane or volume. */
    ValuesAndIndices max() {
        int first = input.dim() - dims;
        Tensor windows = input;
        Tensor positions = positions();
        for (int dim = 0; dim < dims; dim++) {
            long[] elements = elements(dim);
            int longest = longest(dim);
            windows = windows(windows, first + 2 * dim, elements, indices[dim], longest);
            positions = windows(positions, 2 * dim, elements, indices[dim], longest);
        }
        ValuesAndIndices largest = elementsLast(windows, first).max(-1);
        Tensor indices = elementsLast(positions, 0)
                .expand(elementsLast(windows, first).shape())
                .gather(-1, largest.indices().unsqueeze(-1))
                .squeeze(-1);
        return new ValuesAndIndices(largest.values(), indices);
    }

    /** Returns for each element of a line, plane or volume its row-major index. */
    private Tensor positions() {
        long[] sizes = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            sizes[dim] = size(dim);
        }
        return input.machine()
                .arange(Arrays.stream(sizes).reduce(1, Math::multiplyExact))
                .view(sizes);
    }

    /** Moves the dimensions of windows to the front, and makes one dimension of all dimensions of their elements. */
    private Tensor elementsLast(Tensor windows, int first) {
        int[] order = new int[windows.dim()];
        for (int axis = 0; axis < first; axis++) {
            order[axis] = axis;
        }
        for (int dim = 0; dim < dims; dim++) {
            order[first + dim] = first + 2 * dim;
            order[first + dims + dim] = first + 2 * dim + 1;
        }
        return windows.permute(order).flatten(first + dims, -1);
    }
}
