package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.internal.ops.WindowPrimitives;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Convolutions of volumes, a batch of them or one: layers of the kernel become channels of images. */
final class VolumeConvolutionFunctions {
    private static final String OP = "conv3d";

    private final Tensor input;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    VolumeConvolutionFunctions(Tensor input, Tensor weight, @Nullable Tensor bias) {
        this.input = ArgumentChecks.required(input, "the input");
        this.weight = ArgumentChecks.required(weight, "the weight");
        this.bias = bias;
        Sizes.requireRank(OP, 3, input.shape());
        if (weight.dim() != 5) {
            throw new OpException(OP, "the weight must have 5 dimensions, got " + weight.shape());
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
            throw new OpException(OP, "the same size needs strides of 1, got " + Arrays.toString(stride));
        }
        long[] apart = Sizes.each(OP, "dilation", 3, dilation);
        long[] counts = new long[6];
        for (int fromEnd = 0; fromEnd < 3; fromEnd++) {
            long more = apart[2 - fromEnd] * (weight.size(-1 - fromEnd) - 1);
            counts[2 * fromEnd] = more / 2;
            counts[2 * fromEnd + 1] = more - more / 2;
        }
        return new VolumeConvolutionFunctions(input.pad(0, counts), weight, bias)
                .apply(stride, new long[] {0}, dilation, groups);
    }

    Tensor apply(long[] stride, long[] padding, long[] dilation, int groups) {
        long[] steps = Sizes.each(OP, "stride", 3, stride);
        long[] around = Sizes.each(OP, "padding", 3, padding);
        long[] apart = Sizes.each(OP, "dilation", 3, dilation);
        boolean isBatch = input.dim() == 5;
        Tensor batch = isBatch ? input : input.unsqueeze(0);
        Tensor convolved = WindowPrimitives.convolution(
                slices(batch, steps[0], around[0], apart[0]),
                weight.flatten(1, 2),
                Sizes.slide(OP, 1, steps, around, apart),
                Sizes.slide(OP, 2, steps, around, apart),
                groups);
        Tensor volumes = convolved
                .unflatten(0, batch.size(0), convolved.size(0) / Math.max(1, batch.size(0)))
                .permute(0, 2, 1, 3, 4);
        Tensor shifted = bias == null ? volumes : volumes.add(bias.view(bias.numel(), 1, 1, 1));
        return isBatch ? shifted : shifted.squeeze(0);
    }

    /** An image for each place of the kernel along the depth, whose channels are those of the layers that it sees there. */
    private Tensor slices(Tensor batch, long step, long around, long apart) {
        long reach = apart * (weight.size(2) - 1) + 1;
        Tensor deep = around == 0 ? batch : batch.pad(0, 0, 0, 0, 0, around, around);
        if (reach > deep.size(2) || step < 1 || apart < 1) {
            throw new OpException(
                    OP, "the kernel is larger than the padded input, got depths " + reach + " and " + deep.size(2));
        }
        Tensor windows = deep.unfold(2, reach, step);
        Tensor layers = apart == 1 ? windows : windows.slice(5, 0, reach, apart);
        return layers.permute(0, 2, 1, 5, 3, 4).flatten(2, 3).flatten(0, 1);
    }
}
