package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The common part of transposed convolutions. */
public abstract sealed class TransposedLayer extends KernelLayer
        permits ConvTranspose1d, ConvTranspose2d, ConvTranspose3d {

    private final Convolution convolution;

    TransposedLayer(
            int dims,
            long inChannels,
            long outChannels,
            ConvolutionSettings settings,
            boolean hasBias,
            Convolution convolution) {
        super(dims, true, inChannels, outChannels, settings, hasBias);
        this.convolution = convolution;
    }

    @FunctionalInterface
    interface Convolution {
        Tensor of(
                Tensor input,
                Tensor weight,
                @Nullable Tensor bias,
                long[] stride,
                long[] padding,
                long[] outputPadding,
                int groups,
                long[] dilation);
    }

    @Override
    public final Tensor forward(Tensor input) {
        return forward(input, settings);
    }

    /**
     * Computes a result of a given size, instead of the output padding.
     *
     * @param outputSize a size for each dimension of lines, images or volumes, less than a stride (or dilation) above the smallest result
     */
    public final Tensor forward(Tensor input, long... outputSize) {
        return forward(input, settings.outputPadding(paddingFor(input, outputSize)));
    }

    private Tensor forward(Tensor input, ConvolutionSettings with) {
        return convolution.of(
                input,
                weight().tensor(),
                shift(),
                with.stride(),
                with.padding(),
                with.outputPadding(),
                with.groups(),
                with.dilation());
    }

    private long[] paddingFor(Tensor input, long[] outputSize) {
        if (outputSize.length != dims) {
            throw new OpException(
                    "conv_transpose" + dims + "d",
                    "the output needs " + dims + " sizes, got " + Arrays.toString(outputSize));
        }
        long[] padding = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            long smallest = (input.size(dim - dims) - 1) * settings.stride()[dim]
                    - 2 * settings.padding()[dim]
                    + settings.dilation()[dim] * (settings.kernel()[dim] - 1)
                    + 1;
            padding[dim] = outputSize[dim] - smallest;
        }
        return padding;
    }
}
