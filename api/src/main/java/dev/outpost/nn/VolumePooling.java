package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.ops.DivMode;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.protocol.op.Slide;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Pools windows of volumes; see {@link Functional}. */
final class VolumePooling {
    private static final int DIMS = 3;

    private final String op;
    private final Tensor input;
    private final Tensor volumes;
    private final long[] window;
    private final long[] steps;
    private final long[] around;
    private final long[] apart;
    private final boolean ceil;

    /** @param stride the distance between windows; the window's size if empty */
    VolumePooling(
            String name, Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        op = name + "_pool3d";
        this.input = ArgumentChecks.required(input, "the input");
        this.window = Sizes.each(op, "the window", DIMS, window);
        this.ceil = ceil;
        Sizes.requireElements(op, DIMS, input.shape());
        steps = stride.length == 0 ? this.window : Sizes.each(op, "stride", DIMS, stride);
        around = Sizes.each(op, "padding", DIMS, padding);
        apart = Sizes.each(op, "dilation", DIMS, dilation);
        for (int dim = 0; dim < DIMS; dim++) {
            places(dim);
        }
        volumes = input.dim() == DIMS + 1 ? input : input.flatten(0, 1);
    }

    private long places(int dim) {
        Slide slide = Sizes.slide(op, dim, steps, around, apart);
        return slide.poolingPlaces(op, input.size(dim - DIMS), window[dim], ceil);
    }

    /** Takes the largest elements of the windows of each layer, then the largest of these along the depth. */
    ValuesAndIndices max() {
        long count = volumes.size(0);
        long depth = volumes.size(1);
        long plane = volumes.size(2) * volumes.size(3);
        ValuesAndIndices layers = new PoolingFunctions(
                        "max", 2, volumes.flatten(0, 1), tail(window), tail(steps), tail(around), tail(apart), ceil)
                .max();
        long height = layers.values().size(1);
        long width = layers.values().size(2);
        Tensor lines = depthLast(layers.values(), count, depth);
        ValuesAndIndices deepest =
                new PoolingFunctions("max", 1, lines, head(window), head(steps), head(around), head(apart), ceil).max();
        Tensor within = depthLast(layers.indices(), count, depth).gather(1, deepest.indices());
        Tensor indices = deepest.indices().mul(plane).add(within);
        return new ValuesAndIndices(
                restored(deepest.values(), count, height, width), restored(indices, count, height, width));
    }

    private static Tensor depthLast(Tensor planes, long count, long depth) {
        return planes.unflatten(0, count, depth).movedim(1, -1).flatten(0, 2);
    }

    private Tensor restored(Tensor lines, long count, long height, long width) {
        return shaped(lines.unflatten(0, count, height, width).movedim(-1, 1));
    }

    /** Reshapes the results to the input's dimensions. */
    private Tensor shaped(Tensor results) {
        return input.dim() == DIMS + 1 ? results : results.unflatten(0, input.size(0), input.size(1));
    }

    private static long[] head(long[] numbers) {
        return new long[] {numbers[0]};
    }

    private static long[] tail(long[] numbers) {
        return Arrays.copyOfRange(numbers, 1, numbers.length);
    }

    /** @param divisor the divisor of sums, or null for the number of elements */
    Tensor average(boolean countsPadding, @Nullable Long divisor) {
        if (divisor != null && divisor == 0) {
            throw new OpException(op, "the divisor must not be zero, got " + divisor);
        }
        Tensor sums = sums(pad(volumes, around, around));
        if (divisor != null) {
            return shaped(quotient(sums, sums.machine().scalar(divisor).to(sums.dtype())));
        }
        Tensor ones = volumes.narrow(0, 0, Math.min(1, volumes.size(0))).onesLike();
        Tensor counted = countsPadding ? onesWithPadding() : pad(ones, around, around);
        return shaped(quotient(sums, sums(counted)));
    }

    private Tensor onesWithPadding() {
        long[] sizes = {1, 0, 0, 0};
        for (int dim = 0; dim < DIMS; dim++) {
            sizes[dim + 1] = volumes.size(dim + 1) + 2 * around[dim];
        }
        return volumes.newOnes(sizes);
    }

    private static Tensor quotient(Tensor sums, Tensor counts) {
        return sums.dtype().isFloating() ? sums.div(counts) : sums.div(counts, DivMode.TRUNC);
    }

    /** Computes the sums of windows. Elements beyond the padding count as zeros. */
    private Tensor sums(Tensor padded) {
        long[] behind = new long[DIMS];
        for (int dim = 0; dim < DIMS; dim++) {
            behind[dim] = Math.max(0, (places(dim) - 1) * steps[dim] + window[dim] - padded.size(dim + 1));
        }
        Tensor windows = pad(padded, new long[DIMS], behind);
        for (int dim = 0; dim < DIMS; dim++) {
            windows = windows.unfold(dim + 1, window[dim], steps[dim]);
        }
        return windows.sum(-3, -2, -1);
    }

    private static Tensor pad(Tensor tensor, long[] before, long[] behind) {
        long[] counts = new long[2 * DIMS];
        for (int dim = 0; dim < DIMS; dim++) {
            counts[2 * (DIMS - 1 - dim)] = before[dim];
            counts[2 * (DIMS - 1 - dim) + 1] = behind[dim];
        }
        return Arrays.stream(counts).allMatch(count -> count == 0) ? tensor : tensor.pad(0, counts);
    }
}
