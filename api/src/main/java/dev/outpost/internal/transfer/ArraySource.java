package dev.outpost.internal.transfer;

import dev.outpost.client.transfer.ElementSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads elements from arrays of the program. The program may change an array as soon as it has been read. */
public final class ArraySource {
    private ArraySource() {}

    public static ElementSource of(float[] values) {
        return (first, target, at, length) ->
                wrap(target, at, length).asFloatBuffer().put(values, first / Float.BYTES, length / Float.BYTES);
    }

    public static ElementSource of(double[] values) {
        return (first, target, at, length) ->
                wrap(target, at, length).asDoubleBuffer().put(values, first / Double.BYTES, length / Double.BYTES);
    }

    public static ElementSource of(long[] values) {
        return (first, target, at, length) ->
                wrap(target, at, length).asLongBuffer().put(values, first / Long.BYTES, length / Long.BYTES);
    }

    public static ElementSource of(int[] values) {
        return (first, target, at, length) ->
                wrap(target, at, length).asIntBuffer().put(values, first / Integer.BYTES, length / Integer.BYTES);
    }

    private static ByteBuffer wrap(byte[] target, int at, int length) {
        return ByteBuffer.wrap(target, at, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
