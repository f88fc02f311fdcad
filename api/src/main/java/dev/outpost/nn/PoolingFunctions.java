package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.internal.ops.WindowPrimitives;
import dev.outpost.ops.DivMode;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.protocol.op.Slide;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Pools windows of lines or images; see {@link Functional}. */
final class PoolingFunctions {
    private final String op;
    private final int dims;
    private final Tensor input;
    private final Tensor planes;
    private final long[] window;
    private final Slide rows;
    private final Slide columns;
    private final boolean ceil;

    /** @param stride the distance between windows; the window's size if empty */
    PoolingFunctions(
            String name,
            int dims,
            Tensor input,
            long[] window,
            long[] stride,
            long[] padding,
            long[] dilation,
            boolean ceil) {
        op = name + "_pool" + dims + "d";
        this.dims = dims;
        this.input = ArgumentChecks.required(input, "the input");
        this.window = Sizes.plane(op, "the window", dims, 1, window);
        this.ceil = ceil;
        Sizes.requireElements(op, dims, input.shape());
        long[] steps = stride.length == 0 ? this.window : Sizes.plane(op, "stride", dims, 1, stride);
        long[] around = Sizes.plane(op, "padding", dims, 0, padding);
        long[] apart = Sizes.plane(op, "dilation", dims, 1, dilation);
        rows = Sizes.slide(op, 0, steps, around, apart);
        columns = Sizes.slide(op, 1, steps, around, apart);
        long height = dims == 1 ? 1 : input.size(-2);
        long batch = input.dim() == dims + 1 ? 1 : input.size(0);
        planes = input.reshape(batch * input.size(-1 - dims), height, input.size(-1));
    }

    ValuesAndIndices max() {
        ValuesAndIndices largest = WindowPrimitives.maxPool(planes, Shape.of(window), rows, columns, ceil);
        return new ValuesAndIndices(restored(largest.values()), restored(largest.indices()));
    }

    /** Reshapes the results of planes to the input's dimensions. */
    private Tensor restored(Tensor results) {
        long[] sizes = Arrays.copyOf(input.shape().toArray(), input.dim());
        for (int fromEnd = 1; fromEnd <= dims; fromEnd++) {
            sizes[sizes.length - fromEnd] = results.size(-fromEnd);
        }
        return results.reshape(sizes);
    }

    /** @param divisor the divisor of sums, or null for the number of elements */
    Tensor average(boolean countsPadding, @Nullable Long divisor) {
        if (divisor != null && divisor == 0) {
            throw new OpException(op, "the divisor must not be zero, got " + divisor);
        }
        long down = overhang(rows, planes.size(1), window[0]);
        long across = overhang(columns, planes.size(2), window[1]);
        Tensor sums = sums(padded(planes), down, across);
        boolean isEven = down == 0 && across == 0 && (countsPadding || rows.padding() == 0 && columns.padding() == 0);
        if (divisor != null || isEven) {
            return restored(quotient(sums, divisor == null ? window[0] * window[1] : divisor));
        }
        Tensor ones = planes.newOnes(1, planes.size(1), planes.size(2));
        Tensor counted = countsPadding
                ? planes.newOnes(1, planes.size(1) + 2L * rows.padding(), planes.size(2) + 2L * columns.padding())
                : padded(ones);
        Tensor counts = sums(counted, down, across);
        return restored(sums.dtype().isFloating() ? sums.div(counts) : sums.div(counts, DivMode.TRUNC));
    }

    private static Tensor quotient(Tensor sums, long divisor) {
        return sums.dtype().isFloating() ? sums.div(divisor) : sums.div(divisor, DivMode.TRUNC);
    }

    /** Returns the number of elements by which the last window reaches beyond the padding. */
    private long overhang(Slide slide, long size, long length) {
        long places = slide.poolingPlaces(op, size, length, ceil);
        return Math.max(0, (places - 1) * slide.stride() + length - size - 2L * slide.padding());
    }

    private Tensor padded(Tensor tensor) {
        return pad(tensor, columns.padding(), columns.padding(), rows.padding(), rows.padding());
    }

    private Tensor sums(Tensor padded, long down, long across) {
        return pad(padded, 0, across, 0, down)
                .unfold(1, window[0], rows.stride())
                .unfold(2, window[1], columns.stride())
                .sum(-2, -1);
    }

    private static Tensor pad(Tensor tensor, long... counts) {
        return Arrays.stream(counts).allMatch(count -> count == 0) ? tensor : tensor.pad(0, counts);
    }
}
