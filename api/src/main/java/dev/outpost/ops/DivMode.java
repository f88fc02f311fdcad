package dev.outpost.ops;

/** How {@link ArithmeticOps#div(Tensor, DivMode)} rounds the quotient. */
public enum DivMode {
    /** Toward zero, as Java's integer division. */
    TRUNC,
    /** Down, as Python's {@code //}. */
    FLOOR
}
