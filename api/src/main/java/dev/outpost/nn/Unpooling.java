package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Puts elements back to the places from which max pooling took them; see {@link Functional}. */
final class Unpooling {
    private final String op;
    private final int dims;
    private final Tensor input;
    private final Tensor indices;

    Unpooling(int dims, Tensor input, Tensor indices) {
        op = "max_unpool" + dims + "d";
        this.dims = dims;
        this.input = ArgumentChecks.required(input, "the input");
        this.indices = ArgumentChecks.required(indices, "the indices");
        Sizes.requireElements(op, dims, input.shape());
        if (!indices.shape().equals(input.shape())) {
            throw new OpException(
                    op, "there must be an index for each element, got " + indices.shape() + " and " + input.shape());
        }
    }

    /** @param output the sizes of the result, with or without batch and channels; null for the smallest possible one */
    Tensor apply(long[] window, long[] stride, long[] padding, long @Nullable [] output) {
        long[] windows = Sizes.each(op, "the window", dims, window);
        long[] steps = stride.length == 0 ? windows : Sizes.each(op, "stride", dims, stride);
        long[] around = Sizes.each(op, "padding", dims, padding);
        long[] sizes = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            sizes[dim] = (input.size(dim - dims) - 1) * steps[dim] + windows[dim] - 2 * around[dim];
        }
        long[] spread = output == null ? sizes : chosen(sizes, steps, output);
        int first = input.dim() - dims;
        long[] result = Arrays.copyOf(input.shape().toArray(), input.dim());
        System.arraycopy(spread, 0, result, first, dims);
        long[] flat = Arrays.copyOf(result, first + 1);
        flat[first] = Arrays.stream(spread).reduce(1, Math::multiplyExact);
        return input.newZeros(flat)
                .scatter(first, indices.flatten(first, -1), input.flatten(first, -1))
                .view(result);
    }

    private long[] chosen(long[] sizes, long[] steps, long[] output) {
        if (output.length < dims) {
            throw new OpException(
                    op, "the output needs a size for each of " + dims + " dimensions, got " + Arrays.toString(output));
        }
        long[] chosen = Arrays.copyOfRange(output, output.length - dims, output.length);
        for (int dim = 0; dim < dims; dim++) {
            if (Math.abs(chosen[dim] - sizes[dim]) >= steps[dim]) {
                throw new OpException(
                        op,
                        "the output must be less than a stride from " + Arrays.toString(sizes) + ", got "
                                + Arrays.toString(output));
            }
        }
        return chosen;
    }
}
