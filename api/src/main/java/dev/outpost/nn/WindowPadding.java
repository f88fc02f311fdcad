package dev.outpost.nn;

/** The padding of an image, by the size of the result. */
public enum WindowPadding {
    /** No padding: only windows that fit. */
    VALID,
    /** The padding for a result of the input's size, for strides of 1; an odd element goes after the end. */
    SAME
}
