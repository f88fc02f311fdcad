package dev.outpost.protocol.bytes;

import dev.outpost.types.MalformedException;
import java.util.Arrays;

/**
 * Bytes, encoded as the difference from other bytes: new pieces and copied pieces. An empty difference means equal bytes.
 *
 * <p>A difference begins with the length of the result. Then these parts repeat until the result has that length: the length and bytes of a
 * new piece, and the length of a copied piece. If that length is not 0, the distance from the end of the previous copied piece to the
 * beginning of this one follows.
 */
public final class ByteDelta {
    /** The minimum number of equal bytes that are encoded as a copy. */
    private static final int MIN_COPY = 8;

    private static final byte[] SAME = new byte[0];

    private final byte[] base;
    private final byte[] target;
    /** Positions in the base, plus 1, by the hash of the {@link #MIN_COPY} bytes there. */
    private final int[] indices;

    private final ByteWriter out = new ByteWriter();

    private ByteDelta(byte[] base, byte[] target) {
        this.base = base;
        this.target = target;
        this.indices = new int[Integer.highestOneBit(Math.max(16, base.length)) << 1];
        for (int at = base.length - MIN_COPY; at >= 0; at--) {
            indices[slot(base, at)] = at + 1;
        }
    }

    /** Returns the difference that turns the base into the target. */
    public static byte[] between(byte[] base, byte[] target) {
        return Arrays.equals(base, target) ? SAME : new ByteDelta(base, target).write();
    }

    private byte[] write() {
        out.varint(target.length);
        int written = 0;
        int behind = 0;
        int at = 0;
        while (at + MIN_COPY <= target.length) {
            int from = copied(at, behind + at - written);
            if (from < 0) {
                at++;
                continue;
            }
            int length = equalBytes(from, at);
            literal(written, at);
            out.varint(length);
            out.zigzag((long) from - behind);
            at += length;
            written = at;
            behind = from + length;
        }
        if (written < target.length) {
            literal(written, target.length);
            out.varint(0);
        }
        return out.toByteArray();
    }

    private void literal(int from, int to) {
        out.varint(to - from);
        out.bytes(target, from, to - from);
    }

    /**
     * Returns a position at which the base has the same bytes as the target; -1 if none is found.
     *
     * @param aligned the position to try first: it is correct if the earlier bytes were replaced by the same number of bytes
     */
    private int copied(int at, int aligned) {
        if (isEqual(aligned, at)) {
            return aligned;
        }
        int hashed = indices[slot(target, at)] - 1;
        return hashed >= 0 && isEqual(hashed, at) ? hashed : -1;
    }

    private boolean isEqual(int from, int at) {
        return from + MIN_COPY <= base.length && Arrays.equals(base, from, from + MIN_COPY, target, at, at + MIN_COPY);
    }

    private int equalBytes(int from, int at) {
        int different = Arrays.mismatch(base, from, base.length, target, at, target.length);
        return different < 0 ? target.length - at : different;
    }

    private int slot(byte[] bytes, int at) {
        long word = 0;
        for (int index = 0; index < MIN_COPY; index++) {
            word = word << 8 | bytes[at + index] & 0xff;
        }
        return (int) (word * 0x9E3779B97F4A7C15L >>> 40) & indices.length - 1;
    }

    /**
     * Applies a difference from {@link #between} to its base.
     *
     * @param max the maximum length of the result, in bytes
     * @throws MalformedException if it is not a difference from the base
     */
    public static byte[] apply(byte[] base, byte[] delta, int max) {
        if (delta.length == 0) {
            return base;
        }
        ByteReader in = new ByteReader(delta);
        int length = in.smallInt("length of a result");
        if (length > max) {
            throw new MalformedException("a difference makes " + length + " bytes, over " + max);
        }
        byte[] result = new byte[length];
        int written = 0;
        long behind = 0;
        while (written < length) {
            int before = written;
            byte[] piece = in.block();
            written = put(piece, 0, piece.length, result, written);
            int copied = in.smallInt("length of a copy");
            if (copied > 0) {
                long from = behind + in.zigzag();
                written = put(base, from, copied, result, written);
                behind = from + copied;
            }
            if (written == before) {
                throw new MalformedException("a piece of a difference has no bytes");
            }
        }
        in.expectEnd("a difference");
        return result;
    }

    private static int put(byte[] source, long from, int length, byte[] result, int at) {
        boolean isWithin = from >= 0 && from <= source.length - length && length <= result.length - at;
        if (!isWithin) {
            throw new MalformedException("a difference takes " + length + " bytes at " + from + " of " + source.length
                    + " for " + (result.length - at) + " that are left");
        }
        System.arraycopy(source, (int) from, result, at, length);
        return at + length;
    }
}
