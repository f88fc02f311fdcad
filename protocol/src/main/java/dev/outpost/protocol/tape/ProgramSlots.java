package dev.outpost.protocol.tape;

/**
 * The slots in which a runtime keeps the programs of a session, until the client drops or replaces them. The client chooses the slots,
 * as with {@link Slots}.
 */
public final class ProgramSlots {
    public static final int COUNT = 64;

    /** The maximum number of bytes of one program. */
    public static final int MAX_BYTES = 2 << 20;

    /** The maximum number of instructions of one program. */
    public static final int MAX_INSTRUCTIONS = 1 << 14;

    /**
     * The maximum number of inputs of one program. Each call names a value for every input, and a few bytes may name
     * them all.
     */
    public static final int MAX_INPUTS = 1 << 14;

    /**
     * The maximum number of instructions of all programs of a session together, because a decoded instruction takes
     * far more memory than its bytes.
     */
    public static final int MAX_TOTAL_INSTRUCTIONS = 1 << 16;

    /** The maximum number of runs of one call. */
    public static final long MAX_ITERATIONS = 1L << 32;

    /** The maximum number of runs that may be granted ahead of the current one. */
    public static final long MAX_GRANTED = 1 << 16;

    private ProgramSlots() {}
}
