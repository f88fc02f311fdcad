package dev.outpost.nn;

/**
 * Resizes images, by two neighbours along each dimension; the centres of the corners stay where they are (torch.nn.UpsamplingBilinear2d).
 */
public final class UpsamplingBilinear2d extends UpsampleLayer {
    /** Scales height and width by a factor. */
    public UpsamplingBilinear2d(double scaleFactor) {
        super(null, new double[] {scaleFactor}, InterpolationMode.LINEAR, true);
    }

    /** Scales to this height and width. */
    public UpsamplingBilinear2d(long height, long width) {
        super(new long[] {height, width}, null, InterpolationMode.LINEAR, true);
    }
}
