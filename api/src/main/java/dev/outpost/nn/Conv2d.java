package dev.outpost.nn;

/**
 * Computes {@link Functional#conv2d} of images {@code [batch, channels, height, width]}, with weights that are
 * learned.
 */
public final class Conv2d extends ConvolutionLayer {
    /** Creates a layer with stride 1 and without padding. */
    public Conv2d(long inChannels, long outChannels, long kernel) {
        this(inChannels, outChannels, kernel, 1, 0);
    }

    /**
     * Creates a layer with square kernels and a bias: {@code [batch, inChannels, height, width]} gives {@code [batch,
     * outChannels, h, w]} with {@code h = (height + 2 · padding - kernel) / stride + 1}, rounded down, and w
     * likewise.
     *
     * {@snippet file="ModuleExamplesTest.java" region="conv2d"}
     *
     * @param kernel the height and width of a kernel, in elements
     * @param stride the distance of neighbouring windows, in elements
     * @param padding the number of zeros at each side of both dimensions
     */
    public Conv2d(long inChannels, long outChannels, long kernel, long stride, long padding) {
        super(
                2,
                inChannels,
                outChannels,
                ConvolutionSettings.of(kernel).stride(stride).padding(padding),
                true,
                Functional::conv2d);
    }

    /** If one number is given, it stands for all dimensions. */
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
                inChannels,
                outChannels,
                new ConvolutionSettings(kernel, stride, padding, new long[] {0}, dilation, groups),
                hasBias,
                Functional::conv2d);
    }
}
