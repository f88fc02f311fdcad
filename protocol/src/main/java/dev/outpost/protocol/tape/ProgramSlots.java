package dev.outpost.protocol.tape;

/**
 * The places where a runtime keeps the programs of a session, until the client drops them or puts others there. The client
 * says what goes where, as with {@link Slots}.
 */
public final class ProgramSlots {
    public static final int COUNT = 64;

    /** Of one program. */
    public static final int MAX_BYTES = 2 << 20;

    /** Of one program. */
    public static final int MAX_INSTRUCTIONS = 1 << 14;

    /** Of one program: each call names a value for every input, in as little as a few bytes for all. */
    public static final int MAX_INPUTS = 1 << 14;

    /** Of all programs of a session together: an instruction that was decoded takes far more than its bytes. */
    public static final int MAX_TOTAL_INSTRUCTIONS = 1 << 16;

    /** How often one call may run a program. */
    public static final long MAX_ITERATIONS = 1L << 32;

    /** How many runs may be granted ahead of the one at hand. */
    public static final long MAX_GRANTED = 1 << 16;

    private ProgramSlots() {}
}
