package dev.outpost.ops;

/** The elements that are copied around a tensor. */
public enum PadMode {
    /** The elements, mirrored at the first or the last element: {@code c b | a b c | b a}. */
    REFLECT,
    /** The first or the last element: {@code a a | a b c | c c}. */
    REPLICATE,
    /** The elements from the other end: {@code b c | a b c | a b}. */
    CIRCULAR
}
