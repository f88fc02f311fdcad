package dev.outpost.nn;

/** Resizes images, by the elements whose cells begin before the positions (torch.nn.UpsamplingNearest2d). */
public final class UpsamplingNearest2d extends UpsampleLayer {
    /** Scales height and width by a factor. */
    public UpsamplingNearest2d(double scaleFactor) {
        super(null, new double[] {scaleFactor}, InterpolationMode.NEAREST, false);
    }

    /** Scales to this height and width. */
    public UpsamplingNearest2d(long height, long width) {
        super(new long[] {height, width}, null, InterpolationMode.NEAREST, false);
    }
}
