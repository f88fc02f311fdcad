package dev.outpost.nn.convolution;

import dev.outpost.internal.ops.Sizes;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.init.Fan;
import dev.outpost.nn.init.Init;
import dev.outpost.nn.init.Nonlinearity;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What convolutions of lines and of images have in common: their parameters and how they are printed. */
public abstract sealed class ConvolutionLayer extends Module permits Conv1d, Conv2d {
    final long[] stride;
    final long[] padding;
    final long[] dilation;
    final int groups;
    private final long inChannels;
    private final long outChannels;
    private final long[] kernel;
    private final Parameter weight;
    private final @Nullable Parameter bias;

    ConvolutionLayer(
            int dims,
            long inChannels,
            long outChannels,
            long[] kernel,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups,
            boolean hasBias) {
        if (groups < 1 || inChannels % groups != 0 || outChannels % groups != 0) {
            throw new OpException(
                    "conv" + dims + "d",
                    "channels must divide into groups, got " + inChannels + " and " + outChannels + " in " + groups);
        }
        this.inChannels = inChannels;
        this.outChannels = outChannels;
        this.kernel = each(dims, "kernel", kernel);
        this.stride = each(dims, "stride", stride);
        this.padding = each(dims, "padding", padding);
        this.dilation = each(dims, "dilation", dilation);
        this.groups = groups;
        long[] shape = LongStream.concat(LongStream.of(outChannels, inChannels / groups), Arrays.stream(this.kernel))
                .toArray();
        weight = parameter("weight", Init.kaimingUniform(Math.sqrt(5), Fan.IN, Nonlinearity.LEAKY_RELU), shape);
        double fan = Arrays.stream(shape).skip(1).reduce(1, (left, right) -> left * right);
        double bound = fan > 0 ? 1 / Math.sqrt(fan) : 0;
        bias = hasBias ? parameter("bias", Init.uniform(-bound, bound), outChannels) : null;
    }

    /** A number for each dimension. */
    private static long[] each(int dims, String name, long[] given) {
        long[] plane = Sizes.plane("conv" + dims + "d", "the " + name, dims, 1, given);
        return Arrays.copyOfRange(plane, 2 - dims, 2);
    }

    /** {@code [outChannels, inChannels / groups, kernel…]}. */
    public Parameter weight() {
        return weight;
    }

    /** {@code [outChannels]}, or null. */
    public @Nullable Parameter bias() {
        return bias;
    }

    @Override
    protected String settings() {
        boolean isPadded = Arrays.stream(padding).anyMatch(count -> count != 0);
        boolean isDilated = Arrays.stream(dilation).anyMatch(apart -> apart != 1);
        return inChannels + ", " + outChannels + ", kernel_size=" + tuple(kernel) + ", stride=" + tuple(stride)
                + (isPadded ? ", padding=" + tuple(padding) : "")
                + (isDilated ? ", dilation=" + tuple(dilation) : "")
                + (groups == 1 ? "" : ", groups=" + groups)
                + (bias == null ? ", bias=false" : "");
    }

    /** As Python writes it. */
    private static String tuple(long[] numbers) {
        String list = Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return numbers.length == 1 ? "(" + list + ",)" : "(" + list + ")";
    }
}
