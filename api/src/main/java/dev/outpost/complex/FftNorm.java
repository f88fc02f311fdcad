package dev.outpost.complex;

/** The transform that is divided by the number of elements. */
public enum FftNorm {
    /** The inverse transform. */
    BACKWARD,
    /** Both transforms, each divided by the square root of the number. */
    ORTHO,
    /** The forward transform. */
    FORWARD;

    /** Returns the factor of a transform of {@code count} elements. */
    double factor(long count, boolean isInverse) {
        return switch (this) {
            case BACKWARD -> isInverse ? 1.0 / count : 1;
            case ORTHO -> 1 / Math.sqrt(count);
            case FORWARD -> isInverse ? 1 : 1.0 / count;
        };
    }
}
