package dev.outpost.protocol.op;

/**
 * How float32 elements travel between members. Integers are of groups of {@value #GROUP} elements in a row, each with a float32 scale
 * before its integers: the largest magnitude of the group over the largest integer. The order is on the wire.
 */
public enum WireFormat {
    /** As they are. */
    EXACT(32),
    /** Rounded to the nearest, so by at most 2^-8 of the magnitude. */
    BFLOAT16(16),
    /** From -127 to 127, so by at most 1/254 of the largest magnitude in the group. */
    INT8(8),
    /** From -7 to 7, two in a byte, so by at most 1/14 of the largest magnitude in the group. */
    INT4(4);

    /** Elements that have one scale. */
    public static final int GROUP = 64;

    private final int bits;

    WireFormat(int bits) {
        this.bits = bits;
    }

    /** The largest integer; 0 where there are no integers. */
    public int largest() {
        return this == INT8 ? 127 : this == INT4 ? 7 : 0;
    }

    /** The bytes of that many elements on the way, scales included. */
    public long bytes(long elements) {
        long scales = largest() == 0 ? 0 : (elements + GROUP - 1) / GROUP * Float.BYTES;
        return (elements * bits + 7) / 8 + scales;
    }
}
