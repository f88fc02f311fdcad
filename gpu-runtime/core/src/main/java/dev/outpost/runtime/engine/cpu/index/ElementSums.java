package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.types.DType;

/** Single elements added, one after the other, to places that may be the same. */
@FunctionalInterface
interface ElementSums {
    /** {@code target[places[i]] += source[at + i * stride]}. */
    void add(Object source, int at, int stride, Object target, int[] places, int count);

    /** Null for dtypes whose sum is more than one instruction. */
    static ElementSums of(DType dtype) {
        return switch (dtype) {
            case FLOAT32 ->
                (source, at, stride, target, places, count) ->
                        add((float[]) source, at, stride, (float[]) target, places, count);
            case FLOAT64 ->
                (source, at, stride, target, places, count) ->
                        add((double[]) source, at, stride, (double[]) target, places, count);
            case INT64 ->
                (source, at, stride, target, places, count) ->
                        add((long[]) source, at, stride, (long[]) target, places, count);
            case FLOAT16, BFLOAT16, INT32, INT16, INT8, UINT8, BOOL -> null;
        };
    }

    private static void add(float[] source, int at, int stride, float[] target, int[] places, int count) {
        for (int i = 0; i < count; i++) {
            target[places[i]] += source[at + i * stride];
        }
    }

    private static void add(double[] source, int at, int stride, double[] target, int[] places, int count) {
        for (int i = 0; i < count; i++) {
            target[places[i]] += source[at + i * stride];
        }
    }

    private static void add(long[] source, int at, int stride, long[] target, int[] places, int count) {
        for (int i = 0; i < count; i++) {
            target[places[i]] += source[at + i * stride];
        }
    }
}
