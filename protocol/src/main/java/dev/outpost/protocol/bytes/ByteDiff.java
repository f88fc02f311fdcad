package dev.outpost.protocol.bytes;

import dev.outpost.types.MalformedException;
import java.util.Arrays;

/**
 * Bytes, encoded as changes of earlier bytes. The encoding alternates the number of unchanged bytes at the same position with some new
 * bytes. If all bytes are equal, it takes one byte.
 */
public final class ByteDiff {
    private static final int UNCHANGED = 0;

    /** The minimum number of equal bytes that end a run of changed bytes. */
    private static final int MIN_SAME = 4;

    private ByteDiff() {}

    public static void write(ByteWriter out, byte[] before, byte[] now) {
        if (Arrays.equals(before, now)) {
            out.varint(UNCHANGED);
            return;
        }
        out.varint(now.length + 1L);
        int at = 0;
        while (at < now.length) {
            int same = same(before, now, at);
            out.varint(same);
            at += same;
            int changed = changed(before, now, at);
            if (at < now.length) {
                out.varint(changed);
                out.bytes(now, at, changed);
                at += changed;
            }
        }
    }

    /**
     * Reads bytes that were encoded as changes of the earlier bytes. Throws MalformedException if the result would
     * have more than {@code max} bytes.
     */
    public static byte[] read(ByteReader in, byte[] before, int max) {
        int length = in.smallInt("patched length");
        if (length == UNCHANGED) {
            return before;
        }
        length--;
        if (length > max) {
            throw new MalformedException("a patch makes " + length + " bytes where at most " + max + " may be");
        }
        byte[] now = new byte[length];
        int at = 0;
        while (at < length) {
            int same = in.smallInt("unchanged count");
            if (same > Math.min(before.length, length) - at) {
                throw new MalformedException("a patch keeps " + same + " bytes that are not there");
            }
            System.arraycopy(before, at, now, at, same);
            at += same;
            at += at < length ? readChanged(in, now, at) : 0;
        }
        return now;
    }

    private static int readChanged(ByteReader in, byte[] now, int at) {
        byte[] changed = in.block();
        if (changed.length > now.length - at) {
            throw new MalformedException("a patch changes " + changed.length + " of " + (now.length - at) + " bytes");
        }
        System.arraycopy(changed, 0, now, at, changed.length);
        return changed.length;
    }

    private static int same(byte[] before, byte[] now, int at) {
        int end = Math.min(before.length, now.length);
        if (at >= end) {
            return 0;
        }
        int mismatch = Arrays.mismatch(before, at, end, now, at, end);
        return mismatch < 0 ? end - at : mismatch;
    }

    /** Returns the number of bytes to write before the next run of enough equal bytes. */
    private static int changed(byte[] before, byte[] now, int at) {
        int end = Math.min(before.length, now.length);
        int same = 0;
        for (int index = at; index < end; index++) {
            same = before[index] == now[index] ? same + 1 : 0;
            if (same == MIN_SAME) {
                return index + 1 - MIN_SAME - at;
            }
        }
        return now.length - at;
    }
}
