package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.CastRules;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.internal.ops.WindowPrimitives;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Convolutions of lines, images and volumes, a batch of them or one; see {@link Functional}. */
final class ConvolutionFunctions {
    private static final int VOLUME = 3;

    private final String op;
    private final int dims;
    private final Tensor input;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    ConvolutionFunctions(int dims, Tensor input, Tensor weight, @Nullable Tensor bias) {
        this.op = "conv" + dims + "d";
        this.dims = dims;
        this.input = ArgumentChecks.required(input, "the input");
        this.weight = ArgumentChecks.required(weight, "the weight");
        this.bias = bias;
        Sizes.requireRank(op, dims, input.shape());
        if (weight.dim() != dims + 2) {
            throw new OpException(op, "the weight must have " + (dims + 2) + " dimensions, got " + weight.shape());
        }
        if (dims < VOLUME) {
            requireBias();
        }
    }

    private void requireBias() {
        if (bias != null && !bias.shape().equals(Shape.of(weight.size(0)))) {
            throw new OpException(
                    op,
                    "the bias must have an element for each output, got " + bias.shape() + " and " + weight.shape());
        }
        if (bias != null && bias.dtype() != weight.dtype()) {
            throw new OpException(op, DTypeAdvice.differ(weight.dtype(), bias.dtype()));
        }
    }

    Tensor padded(WindowPadding padding, long[] stride, long[] dilation, int groups) {
        return switch (padding) {
            case VALID -> apply(stride, new long[] {0}, dilation, groups);
            case SAME -> same(stride, dilation, groups);
        };
    }

    private Tensor same(long[] stride, long[] dilation, int groups) {
        if (Arrays.stream(stride).anyMatch(step -> step != 1)) {
            throw new OpException(op, "the same size needs strides of 1, got " + Arrays.toString(stride));
        }
        long[] apart = each("dilation", 1, dilation);
        long[] counts = new long[2 * dims];
        for (int fromEnd = 0; fromEnd < dims; fromEnd++) {
            long more = apart[apart.length - 1 - fromEnd] * (weight.size(-1 - fromEnd) - 1);
            counts[2 * fromEnd] = more / 2;
            counts[2 * fromEnd + 1] = more - more / 2;
        }
        return new ConvolutionFunctions(dims, input.pad(0, counts), weight, bias)
                .apply(stride, new long[] {0}, dilation, groups);
    }

    /** Returns a number for each dimension. Lines count as images of one row. */
    private long[] each(String name, long single, long[] given) {
        return dims == VOLUME ? Sizes.each(op, name, dims, given) : Sizes.plane(op, name, dims, single, given);
    }

    Tensor apply(long[] stride, long[] padding, long[] dilation, int groups) {
        long[] steps = each("stride", 1, stride);
        long[] around = each("padding", 0, padding);
        long[] apart = each("dilation", 1, dilation);
        boolean isBatch = input.dim() == dims + 2;
        Tensor batch = isBatch ? input : input.unsqueeze(0);
        Tensor results = dims == VOLUME
                ? volumes(batch, steps, around, apart, groups)
                : planes(batch, steps, around, apart, groups);
        return isBatch ? results : results.squeeze(0);
    }

    private Tensor planes(Tensor batch, long[] steps, long[] around, long[] apart, int groups) {
        Tensor convolved = WindowPrimitives.convolution(
                dims == 1 ? batch.unsqueeze(2) : batch,
                dims == 1 ? weight.unsqueeze(2) : weight,
                Sizes.slide(op, 0, steps, around, apart),
                Sizes.slide(op, 1, steps, around, apart),
                groups);
        Tensor shifted = bias == null
                ? convolved
                : convolved.add(CastRules.likeProduct(bias, convolved).view(Shape.of(bias.numel(), 1, 1)));
        return dims == 1 ? shifted.squeeze(2) : shifted;
    }

    private Tensor volumes(Tensor batch, long[] steps, long[] around, long[] apart, int groups) {
        Tensor convolved = WindowPrimitives.convolution(
                slices(batch, steps[0], around[0], apart[0]),
                weight.flatten(1, 2),
                Sizes.slide(op, 1, steps, around, apart),
                Sizes.slide(op, 2, steps, around, apart),
                groups);
        Tensor volumes = convolved
                .unflatten(0, batch.size(0), convolved.size(0) / Math.max(1, batch.size(0)))
                .permute(0, 2, 1, 3, 4);
        return bias == null ? volumes : volumes.add(bias.view(bias.numel(), 1, 1, 1));
    }

    /**
     * Makes an image for each position of the kernel along the depth. The image has the channels of all depth slices that the kernel covers
     * at this position.
     */
    private Tensor slices(Tensor batch, long step, long around, long apart) {
        long reach = apart * (weight.size(2) - 1) + 1;
        Tensor deep = around == 0 ? batch : batch.pad(0, 0, 0, 0, 0, around, around);
        if (reach > deep.size(2) || step < 1 || apart < 1) {
            throw new OpException(
                    op, "the kernel is larger than the padded input, got depths " + reach + " and " + deep.size(2));
        }
        Tensor windows = deep.unfold(2, reach, step);
        Tensor layers = apart == 1 ? windows : windows.slice(5, 0, reach, apart);
        return layers.permute(0, 2, 1, 5, 3, 4).flatten(2, 3).flatten(0, 1);
    }
}
