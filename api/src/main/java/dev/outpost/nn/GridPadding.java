package dev.outpost.nn;

/** What {@link Functional#gridSample} finds outside of its input. */
public enum GridPadding {
    /** Zeros. */
    ZEROS,
    /** The nearest element of the border. */
    BORDER,
    /** The input mirrored at its borders, over and over. */
    REFLECTION
}
