package dev.outpost.ops;

/** The rounding of the quotient in {@link ArithmeticOps#div(Tensor, DivMode)}. */
public enum DivMode {
    /** Rounds toward zero, as Java's integer division. */
    TRUNC,
    /** Rounds down, as Python's {@code //}. */
    FLOOR
}
