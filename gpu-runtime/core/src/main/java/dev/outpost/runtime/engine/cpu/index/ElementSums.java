package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.types.DType;

/** Adds single elements one after the other, at places that may repeat. */
@FunctionalInterface
interface ElementSums {
    /** {@code target[places[i]] += source[at + i * stride]}. */
    void add(Object source, int at, int stride, Object target, int[] indices, int count);

    /** Returns null for dtypes whose sum takes more than one instruction. */
    static ElementSums of(DType dtype) {
        return switch (dtype) {
            case FLOAT32 ->
                (source, at, stride, target, indices, count) ->
                        add((float[]) source, at, stride, (float[]) target, indices, count);
            case FLOAT64 ->
                (source, at, stride, target, indices, count) ->
                        add((double[]) source, at, stride, (double[]) target, indices, count);
            case INT64 ->
                (source, at, stride, target, indices, count) ->
                        add((long[]) source, at, stride, (long[]) target, indices, count);
            case FLOAT16, BFLOAT16, INT32, INT16, INT8, UINT8, BOOL -> null;
        };
    }

    private static void add(float[] source, int at, int stride, float[] target, int[] indices, int count) {
        for (int i = 0; i < count; i++) {
            target[indices[i]] += source[at + i * stride];
        }
    }

    private static void add(double[] source, int at, int stride, double[] target, int[] indices, int count) {
        for (int i = 0; i < count; i++) {
            target[indices[i]] += source[at + i * stride];
        }
    }

    private static void add(long[] source, int at, int stride, long[] target, int[] indices, int count) {
        for (int i = 0; i < count; i++) {
            target[indices[i]] += source[at + i * stride];
        }
    }
}
