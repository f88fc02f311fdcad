package dev.outpost;

import dev.outpost.client.ElementSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays of the program that fetched elements are put into as they come, without a stop on the way. */
final class ArraySink {
    private ArraySink() {}

    static ElementSink of(float[] values) {
        return (first, source, from, length) ->
                wrap(source, from, length).asFloatBuffer().get(values, first / Float.BYTES, length / Float.BYTES);
    }

    static ElementSink of(double[] values) {
        return (first, source, from, length) ->
                wrap(source, from, length).asDoubleBuffer().get(values, first / Double.BYTES, length / Double.BYTES);
    }

    static ElementSink of(long[] values) {
        return (first, source, from, length) ->
                wrap(source, from, length).asLongBuffer().get(values, first / Long.BYTES, length / Long.BYTES);
    }

    static ElementSink of(int[] values) {
        return (first, source, from, length) ->
                wrap(source, from, length).asIntBuffer().get(values, first / Integer.BYTES, length / Integer.BYTES);
    }

    private static ByteBuffer wrap(byte[] source, int from, int length) {
        return ByteBuffer.wrap(source, from, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
