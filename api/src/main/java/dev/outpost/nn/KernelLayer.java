package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The common part of layers with a kernel: their parameters, with PyTorch's first values, and their text. */
public abstract sealed class KernelLayer extends Module permits ConvolutionLayer, TransposedLayer {
    final ConvolutionSettings settings;
    final int dims;
    private final long inChannels;
    private final long outChannels;
    private final Parameter weight;
    private final @Nullable Parameter bias;

    /** @param isTransposed true if the weight has the inputs first */
    KernelLayer(
            int dims,
            boolean isTransposed,
            long inChannels,
            long outChannels,
            ConvolutionSettings settings,
            boolean hasBias) {
        int groups = settings.groups();
        if (groups < 1 || inChannels % groups != 0 || outChannels % groups != 0) {
            throw new OpException(
                    getClass().getSimpleName(),
                    "channels must divide into groups, got " + inChannels + " and " + outChannels + " in " + groups);
        }
        this.dims = dims;
        this.inChannels = inChannels;
        this.outChannels = outChannels;
        this.settings = settings.of(dims);
        LongStream channels = isTransposed
                ? LongStream.of(inChannels, outChannels / groups)
                : LongStream.of(outChannels, inChannels / groups);
        long[] shape = LongStream.concat(channels, Arrays.stream(this.settings.kernel()))
                .toArray();
        weight = parameter("weight", Init.kaimingUniform(Math.sqrt(5), Fan.IN, Nonlinearity.LEAKY_RELU), shape);
        double fan = Arrays.stream(shape).skip(1).reduce(1, (left, right) -> left * right);
        double bound = fan > 0 ? 1 / Math.sqrt(fan) : 0;
        bias = hasBias ? parameter("bias", Init.uniform(-bound, bound), outChannels) : null;
    }

    /**
     * Returns the weight {@code [outChannels, inChannels / groups, kernel...]}; for transposed layers {@code [inChannels, outChannels /
     * groups, kernel...]}.
     */
    public final Parameter weight() {
        return weight;
    }

    /** Returns the bias {@code [outChannels]}, or null. */
    public final @Nullable Parameter bias() {
        return bias;
    }

    /** Returns the bias as a tensor, or null. */
    final @Nullable Tensor shift() {
        return bias == null ? null : bias.tensor();
    }

    @Override
    protected String settings() {
        boolean isPadded = Arrays.stream(settings.padding()).anyMatch(count -> count != 0);
        boolean isDilated = Arrays.stream(settings.dilation()).anyMatch(apart -> apart != 1);
        boolean isLonger = Arrays.stream(settings.outputPadding()).anyMatch(count -> count != 0);
        return inChannels + ", " + outChannels + ", kernel_size=" + tuple(settings.kernel()) + ", stride="
                + tuple(settings.stride())
                + (isPadded ? ", padding=" + tuple(settings.padding()) : "")
                + (isDilated ? ", dilation=" + tuple(settings.dilation()) : "")
                + (isLonger ? ", output_padding=" + tuple(settings.outputPadding()) : "")
                + (settings.groups() == 1 ? "" : ", groups=" + settings.groups())
                + (bias == null ? ", bias=False" : "");
    }

    /** Formats numbers as a Python tuple. */
    private static String tuple(long[] numbers) {
        String list = Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return numbers.length == 1 ? "(" + list + ",)" : "(" + list + ")";
    }
}
