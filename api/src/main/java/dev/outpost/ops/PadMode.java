package dev.outpost.ops;

/** Which elements are copied around a tensor. */
public enum PadMode {
    /** Those on the other side of the first or the last one: {@code c b | a b c | b a}. */
    REFLECT,
    /** The first or the last one: {@code a a | a b c | c c}. */
    REPLICATE,
    /** Those from the other end: {@code b c | a b c | a b}. */
    CIRCULAR
}
