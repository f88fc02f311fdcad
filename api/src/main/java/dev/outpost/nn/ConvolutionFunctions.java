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

/** Convolutions of lines and images, a batch of them or one; {@link Functional} says what they mean. */
final class ConvolutionFunctions {
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
        long[] apart = Sizes.plane(op, "dilation", dims, 1, dilation);
        long[] counts = new long[2 * dims];
        for (int fromEnd = 0; fromEnd < dims; fromEnd++) {
            long more = apart[1 - fromEnd] * (weight.size(-1 - fromEnd) - 1);
            counts[2 * fromEnd] = more / 2;
            counts[2 * fromEnd + 1] = more - more / 2;
        }
        return new ConvolutionFunctions(dims, input.pad(0, counts), weight, bias)
                .apply(stride, new long[] {0}, dilation, groups);
    }

    Tensor apply(long[] stride, long[] padding, long[] dilation, int groups) {
        long[] steps = Sizes.plane(op, "stride", dims, 1, stride);
        long[] around = Sizes.plane(op, "padding", dims, 0, padding);
        long[] apart = Sizes.plane(op, "dilation", dims, 1, dilation);
        boolean isBatch = input.dim() == dims + 2;
        Tensor batch = isBatch ? input : input.unsqueeze(0);
        Tensor images = dims == 1 ? batch.unsqueeze(2) : batch;
        Tensor kernels = dims == 1 ? weight.unsqueeze(2) : weight;
        Tensor convolved = WindowPrimitives.convolution(
                images,
                kernels,
                Sizes.slide(op, 0, steps, around, apart),
                Sizes.slide(op, 1, steps, around, apart),
                groups);
        Tensor shifted = bias == null
                ? convolved
                : convolved.add(CastRules.likeProduct(bias, convolved).view(Shape.of(bias.numel(), 1, 1)));
        Tensor lines = dims == 1 ? shifted.squeeze(2) : shifted;
        return isBatch ? lines : lines.squeeze(0);
    }
}
