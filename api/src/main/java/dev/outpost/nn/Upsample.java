package dev.outpost.nn;

import org.jspecify.annotations.Nullable;

/** Resizes lines, images or volumes; see {@link Functional#interpolate} (torch.nn.Upsample). */
public final class Upsample extends UpsampleLayer {
    private Upsample(
            long @Nullable [] size, double @Nullable [] scaleFactor, InterpolationMode mode, boolean alignCorners) {
        super(size, scaleFactor, mode, alignCorners);
    }

    /** Scales each dimension by a factor, with {@link InterpolationMode#NEAREST}. */
    public Upsample(double scaleFactor) {
        this(null, new double[] {scaleFactor}, InterpolationMode.NEAREST, false);
    }

    /** @param scaleFactor the factor of the size, one number or one for each dimension */
    public static Upsample byFactor(InterpolationMode mode, boolean alignCorners, double... scaleFactor) {
        return new Upsample(null, scaleFactor.clone(), mode, alignCorners);
    }

    /** @param size the size of the result, one for all dimensions or one for each */
    public static Upsample toSize(InterpolationMode mode, boolean alignCorners, long... size) {
        return new Upsample(size.clone(), null, mode, alignCorners);
    }
}
