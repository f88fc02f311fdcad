package dev.outpost.protocol.tape;

/**
 * The slots in which a runtime remembers segments of a session, so that the client need not send them again. The
 * client chooses the slot of each segment, and thereby the segment to replace. So the runtime needs no eviction rule,
 * and both sides agree on the content. A slot holds a structure and the arguments of its latest run.
 */
public final class Slots {
    public static final int COUNT = 64;

    /** The maximum number of bytes of structure and arguments together. */
    public static final int MAX_BYTES = 256 << 10;

    /**
     * The maximum number of instructions of a segment, because a decoded instruction takes far more memory than its
     * bytes.
     */
    public static final int MAX_INSTRUCTIONS = 4096;

    private Slots() {}

    /** Returns true if a segment of this size may be in a slot. */
    public static boolean hasRoom(int instructions, int structureBytes, SegmentArguments arguments) {
        return instructions <= MAX_INSTRUCTIONS && structureBytes + (long) arguments.bytes() <= MAX_BYTES;
    }

    /** Returns true if a segment may be in a slot. */
    public static boolean hasRoom(Segment segment) {
        return hasRoom(
                segment.structure().instructionCount(), segment.structure().byteCount(), segment.particulars());
    }
}
