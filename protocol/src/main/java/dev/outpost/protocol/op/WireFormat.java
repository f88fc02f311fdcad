package dev.outpost.protocol.op;

/**
 * The form of float32 elements on the network between members. Integer formats use groups of {@value #GROUP} consecutive elements. Each
 * group has a float32 scale before its integers: the largest magnitude of the group divided by the largest integer. The order of the
 * constants is part of the wire format.
 */
public enum WireFormat {
    /** The elements are sent unchanged. */
    EXACT(32),
    /** Rounded to the nearest, with an error of at most 2^-8 of the magnitude. */
    BFLOAT16(16),
    /** Integers from -127 to 127, with an error of at most 1/254 of the largest magnitude in the group. */
    INT8(8),
    /** Integers from -7 to 7, two in a byte, with an error of at most 1/14 of the largest magnitude in the group. */
    INT4(4);

    /** The number of elements that share a scale. */
    public static final int GROUP = 64;

    private final int bits;

    WireFormat(int bits) {
        this.bits = bits;
    }

    /** Returns the largest integer; 0 for a format without integers. */
    public int largest() {
        return this == INT8 ? 127 : this == INT4 ? 7 : 0;
    }

    /** Returns the number of bytes of that many elements on the network, including scales. */
    public long bytes(long elements) {
        long scales = largest() == 0 ? 0 : (elements + GROUP - 1) / GROUP * Float.BYTES;
        return (elements * bits + 7) / 8 + scales;
    }
}
