package dev.outpost.protocol.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Some bytes of an array, not copied: whoever holds the slice holds the array, and nobody changes it any more.
 *
 * @param array the array
 * @param from where the bytes begin
 * @param length how many there are
 */
public record Slice(byte[] array, int from, int length) implements Body {
    public static final Slice EMPTY = new Slice(new byte[0]);

    public Slice {
        Objects.checkFromIndexSize(from, length, array.length);
    }

    public Slice(byte[] array) {
        this(array, 0, array.length);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        out.write(array, from, length);
    }

    @Override
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, from, from + length);
    }

    /** Equal by content. */
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
