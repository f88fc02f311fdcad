package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.internal.ops.WindowPrimitives;
import dev.outpost.protocol.op.Slide;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Transposed convolutions of lines, images and volumes, a batch of them or one; see {@link Functional}. */
final class TransposedConvolutionFunctions {
    private final String op;
    private final int dims;
    private final Tensor input;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    TransposedConvolutionFunctions(int dims, Tensor input, Tensor weight, @Nullable Tensor bias) {
        this.op = "conv_transpose" + dims + "d";
        this.dims = dims;
        this.input = ArgumentChecks.required(input, "the input");
        this.weight = ArgumentChecks.required(weight, "the weight");
        this.bias = bias;
        Sizes.requireRank(op, dims, input.shape());
        if (weight.dim() != dims + 2) {
            throw new OpException(op, "the weight must have " + (dims + 2) + " dimensions, got " + weight.shape());
        }
    }

    Tensor apply(long[] stride, long[] padding, long[] outputPadding, int groups, long[] dilation) {
        long[] steps = Sizes.each(op, "stride", dims, stride);
        long[] around = Sizes.each(op, "padding", dims, padding);
        long[] behind = Sizes.each(op, "output padding", dims, outputPadding);
        long[] apart = Sizes.each(op, "dilation", dims, dilation);
        for (int dim = 0; dim < dims; dim++) {
            if (behind[dim] < 0 || behind[dim] >= Math.max(steps[dim], apart[dim])) {
                throw new OpException(
                        op,
                        "the output padding must be below the stride or the dilation, got "
                                + Arrays.toString(behind) + ", " + Arrays.toString(steps) + " and "
                                + Arrays.toString(apart));
            }
        }
        boolean isBatch = input.dim() == dims + 2;
        Tensor batch = isBatch ? input : input.unsqueeze(0);
        Tensor result = dims == 3
                ? volumes(batch, steps, around, behind, groups, apart)
                : planes(batch, steps, around, behind, groups, apart);
        Tensor shifted = bias == null ? result : result.add(bias.view(channelwise()));
        return isBatch ? shifted : shifted.squeeze(0);
    }

    private long[] channelwise() {
        long[] sizes = new long[dims + 1];
        Arrays.fill(sizes, 1);
        sizes[0] = bias.numel();
        return sizes;
    }

    private Tensor planes(Tensor batch, long[] steps, long[] around, long[] behind, int groups, long[] apart) {
        if (dims == 2) {
            return images(batch, weight, steps, around, behind, groups, apart);
        }
        return images(
                        batch.unsqueeze(2),
                        weight.unsqueeze(2),
                        new long[] {1, steps[0]},
                        new long[] {0, around[0]},
                        new long[] {0, behind[0]},
                        groups,
                        new long[] {1, apart[0]})
                .squeeze(2);
    }

    private Tensor images(
            Tensor images, Tensor kernels, long[] steps, long[] around, long[] behind, int groups, long[] apart) {
        // An output padding beyond a stride has the same effect as more inputs of zeros.
        long[] further = {behind[0] / steps[0], behind[1] / steps[1]};
        Tensor padded = further[0] == 0 && further[1] == 0 ? images : images.pad(0, 0, further[1], 0, further[0]);
        Slide rows = Sizes.slide(op, 0, steps, around, apart);
        Slide columns = Sizes.slide(op, 1, steps, around, apart);
        return WindowPrimitives.transposedConvolution(
                padded,
                kernels,
                rows,
                columns,
                groups,
                Shape.of(
                        length(rows, padded.size(2), kernels.size(2), behind[0] % steps[0]),
                        length(columns, padded.size(3), kernels.size(3), behind[1] % steps[1])));
    }

    private long length(Slide slide, long size, long kernel, long behind) {
        long length = (size - 1) * slide.stride() - 2L * slide.padding() + slide.dilation() * (kernel - 1) + behind + 1;
        if (length < 1) {
            throw new OpException(op, "the output would be empty, got a length of " + length);
        }
        return length;
    }

    /**
     * Computes volumes with an operation on images: the kernel's depth becomes channels, and the result of each layer of the kernel is
     * added at its depth.
     */
    private Tensor volumes(Tensor batch, long[] steps, long[] around, long[] behind, int groups, long[] apart) {
        long depth = batch.size(2);
        long layers = weight.size(2);
        Tensor slices = batch.permute(0, 2, 1, 3, 4).flatten(0, 1);
        Tensor kernels = weight.flatten(1, 2);
        Tensor spread = images(slices, kernels, tail(steps), tail(around), tail(behind), groups, tail(apart));
        Tensor bySlice = spread.unflatten(1, spread.size(1) / layers, layers)
                .unflatten(0, batch.size(0), depth)
                .permute(0, 2, 1, 3, 4, 5)
                .flatten(2, 3);
        long whole = (depth - 1) * steps[0] + apart[0] * (layers - 1) + 1;
        long length = whole - 2 * around[0] + behind[0];
        if (length < 1) {
            throw new OpException(op, "the output would be empty, got a depth of " + length);
        }
        long[] indices = new long[Math.toIntExact(depth * layers)];
        for (int place = 0; place < indices.length; place++) {
            indices[place] = place / layers * steps[0] + place % layers * apart[0];
        }
        long[] sizes = bySlice.shape().toArray();
        sizes[2] = Math.max(whole, length + around[0]);
        return bySlice.newZeros(sizes)
                .indexAdd(2, bySlice.machine().tensor(indices), bySlice)
                .narrow(2, around[0], length);
    }

    private static long[] tail(long[] numbers) {
        return Arrays.copyOfRange(numbers, 1, numbers.length);
    }
}
