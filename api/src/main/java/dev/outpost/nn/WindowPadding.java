package dev.outpost.nn;

/** How much is thought of around an image, by what comes out. */
public enum WindowPadding {
    /** Nothing: only windows that fit. */
    VALID,
    /** As much as it takes for a result of the input's size, for strides of 1; what is odd goes behind. */
    SAME
}
