package dev.outpost.nn;

/** Images of another size, by two neighbours along each dimension; the corners' centres stay where they are (torch.nn.UpsamplingBilinear2d). */
public final class UpsamplingBilinear2d extends UpsampleLayer {
    /** Times as high and as wide. */
    public UpsamplingBilinear2d(double scaleFactor) {
        super(null, new double[] {scaleFactor}, InterpolationMode.LINEAR, true);
    }

    /** Of that height and width. */
    public UpsamplingBilinear2d(long height, long width) {
        super(new long[] {height, width}, null, InterpolationMode.LINEAR, true);
    }
}
