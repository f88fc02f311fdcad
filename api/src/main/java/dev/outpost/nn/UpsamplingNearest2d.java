package dev.outpost.nn;

/** Images of another size, of the elements whose cells begin before the places (torch.nn.UpsamplingNearest2d). */
public final class UpsamplingNearest2d extends UpsampleLayer {
    /** Times as high and as wide. */
    public UpsamplingNearest2d(double scaleFactor) {
        super(null, new double[] {scaleFactor}, InterpolationMode.NEAREST, false);
    }

    /** Of that height and width. */
    public UpsamplingNearest2d(long height, long width) {
        super(new long[] {height, width}, null, InterpolationMode.NEAREST, false);
    }
}
