package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/** Lines, images or volumes of another size; see {@link Functional#interpolate} (torch.nn.Upsample). */
public final class Upsample extends UpsampleLayer {
    private Upsample(
            long @Nullable [] size, double @Nullable [] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        super(size, scaleFactor, mode, alignCorners);
    }

    /** The element whose cell begins before the place, times as many along each dimension. */
    public Upsample(double scaleFactor) {
        this(null, new double[] {scaleFactor}, InterpolationMode.NEAREST, false);
    }

    /** @param scaleFactor how many times as large the result is, one number or one for each dimension */
    public static Upsample byFactor(InterpolationMode mode, boolean alignCorners, double... scaleFactor) {
        return new Upsample(null, scaleFactor.clone(), mode, alignCorners);
    }

    /** @param size of the result, one for all dimensions or one for each */
    public static Upsample toSize(InterpolationMode mode, boolean alignCorners, long... size) {
        return new Upsample(size.clone(), null, mode, alignCorners);
    }
}
