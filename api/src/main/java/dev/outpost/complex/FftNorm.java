package dev.outpost.complex;

/** Which of the two transforms is divided by the number of elements. */
public enum FftNorm {
    /** The inverse. */
    BACKWARD,
    /** Both, by its root. */
    ORTHO,
    /** The forward one. */
    FORWARD;

    /** The factor of a transform of so many elements. */
    double factor(long count, boolean isInverse) {
        return switch (this) {
            case BACKWARD -> isInverse ? 1.0 / count : 1;
            case ORTHO -> 1 / Math.sqrt(count);
            case FORWARD -> isInverse ? 1 : 1.0 / count;
        };
    }
}
