package dev.outpost.protocol.tape;

/**
 * The places where a runtime remembers segments of a session, so that the client need not send them again. The client
 * says what goes where, and so what is forgotten: the runtime needs no rule of its own, and the two cannot disagree. A
 * slot holds a structure and the arguments of its latest run.
 */
public final class Slots {
    public static final int COUNT = 64;

    /** The bytes of structure and arguments together. */
    public static final int MAX_BYTES = 256 << 10;

    /** An instruction that was decoded takes far more than its bytes. */
    public static final int MAX_INSTRUCTIONS = 4096;

    private Slots() {}

    /** Whether such a segment may be in a slot. */
    public static boolean hasRoom(int instructions, int structureBytes, SegmentArguments arguments) {
        return instructions <= MAX_INSTRUCTIONS && structureBytes + (long) arguments.bytes() <= MAX_BYTES;
    }

    /** Whether a segment may be in a slot. */
    public static boolean hasRoom(Segment segment) {
        return hasRoom(
                segment.structure().instructionCount(), segment.structure().byteCount(), segment.particulars());
    }
}
