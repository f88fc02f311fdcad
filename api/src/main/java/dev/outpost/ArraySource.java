package dev.outpost;

import dev.outpost.client.ElementSource;
import dev.outpost.protocol.bytes.Slice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The program's own arrays, which it may change as soon as they have been read: each piece is a copy. */
final class ArraySource {
    private ArraySource() {}

    static ElementSource of(float[] values) {
        return (from, length) -> {
            ByteBuffer piece = piece(length);
            piece.asFloatBuffer().put(values, from / Float.BYTES, length / Float.BYTES);
            return new Slice(piece.array());
        };
    }

    static ElementSource of(double[] values) {
        return (from, length) -> {
            ByteBuffer piece = piece(length);
            piece.asDoubleBuffer().put(values, from / Double.BYTES, length / Double.BYTES);
            return new Slice(piece.array());
        };
    }

    static ElementSource of(long[] values) {
        return (from, length) -> {
            ByteBuffer piece = piece(length);
            piece.asLongBuffer().put(values, from / Long.BYTES, length / Long.BYTES);
            return new Slice(piece.array());
        };
    }

    static ElementSource of(int[] values) {
        return (from, length) -> {
            ByteBuffer piece = piece(length);
            piece.asIntBuffer().put(values, from / Integer.BYTES, length / Integer.BYTES);
            return new Slice(piece.array());
        };
    }

    private static ByteBuffer piece(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
