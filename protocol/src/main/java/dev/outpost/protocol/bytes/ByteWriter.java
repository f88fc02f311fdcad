package dev.outpost.protocol.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, with methods for the encodings of the protocol. Not thread-safe. */
public final class ByteWriter {
    private byte[] bytes;
    private int size;

    public ByteWriter() {
        this(64);
    }

    public ByteWriter(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void u8(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    /** Writes a non-negative number in 1 to 10 bytes, seven bits each, low bits first (LEB128). */
    public void varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Writes a number of either sign. Small magnitudes take few bytes. */
    public void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    /** Writes eight bytes, low byte first. */
    public void fixed64(long value) {
        reserve(8);
        for (int shift = 0; shift < 64; shift += 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void bytes(byte[] source) {
        bytes(source, 0, source.length);
    }

    public void bytes(Bytes source) {
        reserve(source.length());
        source.forEach(1, piece -> {
            int count = piece.remaining();
            piece.get(bytes, size, count);
            size += count;
        });
    }

    public void bytes(byte[] source, int from, int length) {
        reserve(length);
        System.arraycopy(source, from, bytes, size, length);
        size += length;
    }

    /** Writes the length, then the bytes. */
    public void block(byte[] source) {
        varint(source.length);
        bytes(source);
    }

    /** Writes the length of another writer's content, then its bytes. */
    public void block(ByteWriter source) {
        varint(source.size);
        bytes(source.bytes, 0, source.size);
    }

    public void string(String text) {
        block(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the count, then the values. */
    public void varints(long[] values) {
        varint(values.length);
        for (long value : values) {
            varint(value);
        }
    }

    /** Writes {@code count} flags, eight to a byte, the first in the low bit. */
    public void flags(long[] words, int count) {
        for (int index = 0; index < count; index += 8) {
            u8((int) (words[index >>> 6] >>> (index & 63)));
        }
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
