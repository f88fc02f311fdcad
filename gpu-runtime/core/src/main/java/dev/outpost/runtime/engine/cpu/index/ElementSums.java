package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.types.DType;

/** Adds single elements one after the other, at places that may repeat. */
@FunctionalInterface
interface ElementSums {
    /** {@code target[places[i]] += source[at + i * stride]}. */
    void add(Object source, int at, int stride, Object target, int[] indices, int count);

    /** Returns the sums for a dtype; null if a sum takes more than one instruction. */
    static ElementSums of(DType dtype) {
        return switch (dtype) {
            case FLOAT32, FLOAT64, INT64 -> ElementMoves::scatterSum;
            case FLOAT16, BFLOAT16, INT32, INT16, INT8, UINT8, BOOL -> null;
        };
    }
}
