package dev.outpost.nn;

/** The values that {@link Functional#gridSample} reads outside of its input. */
public enum GridPadding {
    /** Zeros. */
    ZEROS,
    /** The nearest element of the border. */
    BORDER,
    /** The input mirrored at its borders, over and over. */
    REFLECTION
}
