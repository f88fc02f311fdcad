package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.types.DType;

/**
 * Converts numbers to longs with the same order: -0 equals 0, and every NaN comes last. The keys of a {@link #dtype} narrower than 64
 * bits fit into an int.
 */
final class OrderKeys {
    private OrderKeys() {}

    /** Returns the dtype from which keys are made. Narrow dtypes are widened first, which keeps their order. */
    static DType dtype(DType dtype) {
        return switch (dtype) {
            case FLOAT32, FLOAT64, INT64, INT32 -> dtype;
            case FLOAT16, BFLOAT16 -> DType.FLOAT32;
            case INT16, INT8, UINT8, BOOL -> DType.INT32;
        };
    }

    /** Returns the key of NaN. For integers it is the smallest key, for which the special treatment of NaN changes nothing. */
    static long nan(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> key(Float.NaN);
            case FLOAT64 -> key(Double.NaN);
            case INT64, INT32, FLOAT16, BFLOAT16, INT16, INT8, UINT8, BOOL -> Long.MIN_VALUE;
        };
    }

    /** Computes the keys of {@code keys.length} elements. */
    static void fill(Object elements, int from, long[] keys) {
        switch (elements) {
            case float[] floats -> fill(floats, from, keys);
            case double[] doubles -> fill(doubles, from, keys);
            case long[] longs -> System.arraycopy(longs, from, keys, 0, keys.length);
            case int[] ints -> fill(ints, from, keys);
            default -> throw new IllegalArgumentException("no keys are made from a " + elements.getClass());
        }
    }

    private static void fill(float[] elements, int from, long[] keys) {
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(elements[from + i]);
        }
    }

    private static void fill(double[] elements, int from, long[] keys) {
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key(elements[from + i]);
        }
    }

    private static void fill(int[] elements, int from, long[] keys) {
        for (int i = 0; i < keys.length; i++) {
            keys[i] = elements[from + i];
        }
    }

    /** Inverts the bits of negative numbers to order them; adding 0 turns -0 into 0. */
    private static long key(float x) {
        int bits = Float.floatToIntBits(x + 0f);
        return bits ^ (bits >> 31 & Integer.MAX_VALUE);
    }

    private static long key(double x) {
        long bits = Double.doubleToLongBits(x + 0.0);
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }
}
