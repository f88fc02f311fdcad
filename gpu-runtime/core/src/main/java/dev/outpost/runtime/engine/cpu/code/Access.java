package dev.outpost.runtime.engine.cpu.code;

/** How a loop walks one of its arrays. Each makes another loop of it for the JIT. */
public enum Access {
    /** The same element throughout: read once, before the loop. */
    SCALAR,
    /**
     * One element after the other, each at the very index at which the result is stored: how a result is walked that is
     * not {@link #STRIDED}. Only such a loop is vectorised: with any other distance between them, the JIT of JDK 25 must
     * assume that a store changes a later load, since the two arrays might be one (it checks at run time from 26 on,
     * JDK-8324751).
     */
    ALIGNED,
    /** One element after the other. */
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
