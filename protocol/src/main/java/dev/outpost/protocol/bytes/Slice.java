package dev.outpost.protocol.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A part of an array, not copied. The slice keeps the array in memory, and the array must not be changed any more.
 *
 * @param array the array
 * @param from the index of the first byte
 * @param length the number of bytes
 */
public record Slice(byte[] array, int from, int length) implements Body, Bytes {
    public static final Slice EMPTY = new Slice(new byte[0]);

    public Slice {
        Objects.checkFromIndexSize(from, length, array.length);
    }

    public Slice(byte[] array) {
        this(array, 0, array.length);
    }

    @Override
    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, from, target, at, length);
    }

    @Override
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, from, from + length);
    }

    @Override
    public void forEach(int unit, Consumer<ByteBuffer> receiver) {
        receiver.accept(ByteBuffer.wrap(array, from, length).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Compares the content. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Slice that
                && Arrays.equals(array, from, from + length, that.array, that.from, that.from + that.length);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(array, from, length).hashCode();
    }

    @Override
    public String toString() {
        return "Slice[" + length + " bytes]";
    }
}
