package dev.outpost.protocol.bytes;

import dev.outpost.types.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@link ByteWriter}. Every count is checked against the remaining bytes before anything is
 * allocated for it. Throws {@link MalformedException} for invalid input.
 */
public final class ByteReader {
    private byte[] bytes;
    private int end;
    private int position;

    /** The pieces whose beginning is in {@code bytes}; null if {@code bytes} contains the whole source. */
    private @Nullable Pieces pieces;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /**
     * Makes a reader. If the source is in pieces, bulk data at its end are not copied; reading anything else after
     * the first piece joins all pieces.
     */
    public ByteReader(Bytes source) {
        switch (source) {
            case Slice slice -> {
                bytes = slice.array();
                position = slice.from();
                end = slice.from() + slice.length();
            }
            case Pieces lent -> {
                bytes = lent.head();
                position = lent.from();
                end = lent.to();
                pieces = lent;
            }
        }
    }

    public ByteReader(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.position = from;
        this.end = to;
    }

    public int remaining() {
        return pieces == null ? end - position : pieces.from(position).length();
    }

    public boolean isAtEnd() {
        return remaining() == 0;
    }

    /** Fails if bytes are left. */
    public void expectEnd(String what) {
        if (!isAtEnd()) {
            throw new MalformedException(what + " has " + remaining() + " bytes too many");
        }
    }

    public int u8() {
        need(1);
        return bytes[position++] & 0xff;
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedException("a number runs over ten bytes");
    }

    public long zigzag() {
        long raw = varint();
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** Reads a varint that must fit a non-negative int. */
    public int smallInt(String what) {
        long value = varint();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new MalformedException(what + " is out of range: " + value);
        }
        return (int) value;
    }

    /** Reads a number of elements that follow, each of at least {@code bytesEach} bytes. */
    public int count(String what, int bytesEach) {
        int count = smallInt(what);
        if (count > remaining() / Math.max(bytesEach, 1)) {
            throw new MalformedException(what + " says " + count + " but only " + remaining() + " bytes follow");
        }
        return count;
    }

    public long fixed64() {
        need(8);
        long value = 0;
        for (int shift = 0; shift < 64; shift += 8) {
            value |= (bytes[position++] & 0xffL) << shift;
        }
        return value;
    }

    public byte[] bytes(int length) {
        need(length);
        byte[] result = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return result;
    }

    /** Reads a {@link #block} without copying its bytes. */
    public Bytes slice() {
        int length = count("block length", 1);
        if (pieces != null && length == remaining()) {
            Pieces last = pieces.from(position);
            position = end;
            pieces = null;
            return last;
        }
        need(length);
        Slice slice = new Slice(bytes, position, length);
        position += length;
        return slice;
    }

    public byte[] block() {
        return bytes(count("block length", 1));
    }

    public String string() {
        return new String(block(), StandardCharsets.UTF_8);
    }

    public long[] varints(String what) {
        long[] values = new long[count(what, 1)];
        for (int index = 0; index < values.length; index++) {
            values[index] = varint();
        }
        return values;
    }

    public boolean[] flags(int count) {
        boolean[] flags = new boolean[count];
        for (int index = 0; index < count; index += 8) {
            int bits = u8();
            for (int bit = 0; bit < Math.min(8, count - index); bit++) {
                flags[index + bit] = (bits & (1 << bit)) != 0;
            }
        }
        return flags;
    }

    private void need(int count) {
        if (pieces != null && count > end - position) {
            gather(pieces);
        }
        if (count < 0 || count > end - position) {
            throw new MalformedException("truncated: " + count + " bytes wanted, " + remaining() + " left");
        }
    }

    private void gather(Pieces all) {
        bytes = all.from(position).toByteArray();
        position = 0;
        end = bytes.length;
        pieces = null;
    }
}
