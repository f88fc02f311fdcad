package dev.outpost.nn;

/**
 * The largest elements of windows at random places, which are drawn in each call; see {@link Functional#fractionalMaxPool2dWithIndices}
 * (torch.nn.FractionalMaxPool2d).
 */
public final class FractionalMaxPool2d extends FractionalMaxPoolLayer {
    private FractionalMaxPool2d(long[] window, long[] output, double[] ratio) {
        super(2, window, output, ratio);
    }

    /** Creates a layer with a fixed number of windows along each dimension. */
    public FractionalMaxPool2d(long[] window, long... output) {
        this(window, output, new double[0]);
    }

    /** @param ratio the length of the result as a share of the input, along each dimension, in (0, 1) */
    public static FractionalMaxPool2d byRatio(long[] window, double... ratio) {
        return new FractionalMaxPool2d(window, new long[0], ratio);
    }
}
