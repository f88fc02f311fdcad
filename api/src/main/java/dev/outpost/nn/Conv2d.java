package dev.outpost.nn;

import dev.outpost.Tensor;

/** {@link Functional#conv2d} of images {@code [batch, channels, height, width]}, with weights that are learned. */
public final class Conv2d extends KernelLayer {

    /** With stride 1, without padding. */
    public Conv2d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, kernel, 1, 0);
    }

    public Conv2d(long inChannels, long outChannels, long kernel, long stride, long padding) {
        this(
                inChannels,
                outChannels,
                new long[] {kernel},
                new long[] {stride},
                new long[] {padding},
                new long[] {1},
                1,
                true);
    }

    /** Where one number is given, it stands for all dimensions. */
    public Conv2d(
            long inChannels,
            long outChannels,
            long[] kernel,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups,
            boolean hasBias) {
        super(
                2,
                false,
                inChannels,
                outChannels,
                new ConvolutionSettings(kernel, stride, padding, new long[] {0}, dilation, groups),
                hasBias);
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor shift = bias() == null ? null : bias().tensor();
        return Functional.conv2d(
                input,
                weight().tensor(),
                shift,
                settings.stride(),
                settings.padding(),
                settings.dilation(),
                settings.groups());
    }
}
