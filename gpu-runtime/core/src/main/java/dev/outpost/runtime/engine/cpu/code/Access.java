package dev.outpost.runtime.engine.cpu.code;

/**
 * The pattern by which a loop walks one of its arrays. For each combination of patterns there is a separate loop,
 * which the JIT compiles separately.
 */
public enum Access {
    /** The same element for the whole loop. It is read once, before the loop. */
    SCALAR,
    /**
     * Consecutive elements, each at the same index as the stored result. A result that is not {@link #STRIDED} is walked in this way. The
     * JIT vectorises only such loops. With any other distance between two arrays, the JIT of JDK 25 must assume that a store changes a
     * later load, because both might be the same array. From JDK 26 on, it checks this at run time (JDK-8324751).
     */
    ALIGNED,
    /** Consecutive elements. */
    UNIT,
    /** Any other stride. */
    STRIDED;

    public static Access of(int stride) {
        return switch (stride) {
            case 0 -> SCALAR;
            case 1 -> UNIT;
            default -> STRIDED;
        };
    }
}
