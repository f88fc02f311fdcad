package dev.outpost.ops;

/** The rounding of the quotient in {@link ArithmeticOps#div(Tensor, DivMode)}. */
public enum DivMode {
    /** Rounds toward zero, like Java's integer division. */
    TRUNC,
    /** Rounds down, like Python's {@code //}. */
    FLOOR
}
