package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** {@link Functional#convTranspose3d} of volumes {@code [batch, channels, depth, height, width]}, with weights that are learned (torch.nn.ConvTranspose3d). */
public final class ConvTranspose3d extends TransposedLayer {

    /** With stride 1, without padding. */
    public ConvTranspose3d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, ConvolutionSettings.of(kernel), true);
    }

    /** A layer with all of its settings. */
    public ConvTranspose3d(long inChannels, long outChannels, ConvolutionSettings settings, boolean hasBias) {
        super(3, inChannels, outChannels, settings, hasBias);
    }

    @Override
    Tensor spread(
            Tensor input, Tensor weight, @Nullable Tensor bias, ConvolutionSettings settings, long[] outputPadding) {
        return Functional.convTranspose3d(
                input,
                weight,
                bias,
                settings.stride(),
                settings.padding(),
                outputPadding,
                settings.groups(),
                settings.dilation());
    }
}
