package dev.outpost.nn;

/** Computes {@link Functional#conv1d} of lines {@code [batch, channels, length]}, with weights that are learned. */
public final class Conv1d extends ConvolutionLayer {
    /** Creates a layer with stride 1 and without padding. */
    public Conv1d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, kernel, 1, 0);
    }

    public Conv1d(long inChannels, long outChannels, long kernel, long stride, long padding) {
        super(
                1,
                inChannels,
                outChannels,
                ConvolutionSettings.of(kernel).stride(stride).padding(padding),
                true,
                Functional::conv1d);
    }

    /** If one number is given, it stands for all dimensions. */
    public Conv1d(
            long inChannels,
            long outChannels,
            long[] kernel,
            long[] stride,
            long[] padding,
            long[] dilation,
            int groups,
            boolean hasBias) {
        super(
                1,
                inChannels,
                outChannels,
                new ConvolutionSettings(kernel, stride, padding, new long[] {0}, dilation, groups),
                hasBias,
                Functional::conv1d);
    }
}
