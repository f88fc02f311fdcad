package dev.outpost.nn;

/**
 * The largest elements of windows at random places, which are drawn in each call; see {@link Functional#fractionalMaxPool3dWithIndices}
 * (torch.nn.FractionalMaxPool3d).
 */
public final class FractionalMaxPool3d extends FractionalMaxPoolLayer {
    private FractionalMaxPool3d(long[] window, long[] output, double[] ratio) {
        super(3, window, output, ratio);
    }

    /** Creates a layer with a fixed number of windows along each dimension. */
    public FractionalMaxPool3d(long[] window, long... output) {
        this(window, output, new double[0]);
    }

    /** @param ratio the length of the result as a share of the input, along each dimension, in (0, 1) */
    public static FractionalMaxPool3d byRatio(long[] window, double... ratio) {
        return new FractionalMaxPool3d(window, new long[0], ratio);
    }
}
