package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** The common part of convolutions that are not transposed. */
public abstract sealed class ConvolutionLayer extends KernelLayer permits Conv1d, Conv2d, Conv3d {
    private final Convolution convolution;

    ConvolutionLayer(
            int dims,
            long inChannels,
            long outChannels,
            ConvolutionSettings settings,
            boolean hasBias,
            Convolution convolution) {
        super(dims, false, inChannels, outChannels, settings.outputPadding(0), hasBias);
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
                long[] dilation,
                int groups);
    }

    @Override
    public final Tensor forward(Tensor input) {
        return convolution.of(
                input,
                weight().tensor(),
                shift(),
                settings.stride(),
                settings.padding(),
                settings.dilation(),
                settings.groups());
    }
}
