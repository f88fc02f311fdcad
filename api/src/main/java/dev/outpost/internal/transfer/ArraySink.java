package dev.outpost.internal.transfer;

import dev.outpost.client.transfer.ElementSink;

/** Writes fetched elements directly into arrays of the program as they arrive, without a buffer. */
public final class ArraySink {
    private ArraySink() {}

    public static ElementSink of(float[] values) {
        return (first, source) ->
                source.asFloatBuffer().get(values, first / Float.BYTES, source.remaining() / Float.BYTES);
    }

    public static ElementSink of(double[] values) {
        return (first, source) ->
                source.asDoubleBuffer().get(values, first / Double.BYTES, source.remaining() / Double.BYTES);
    }

    public static ElementSink of(long[] values) {
        return (first, source) ->
                source.asLongBuffer().get(values, first / Long.BYTES, source.remaining() / Long.BYTES);
    }

    public static ElementSink of(int[] values) {
        return (first, source) ->
                source.asIntBuffer().get(values, first / Integer.BYTES, source.remaining() / Integer.BYTES);
    }
}
