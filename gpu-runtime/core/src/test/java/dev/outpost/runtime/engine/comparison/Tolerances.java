package dev.outpost.runtime.engine.comparison;

import dev.outpost.types.DType;

/**
 * The allowed differences between an engine and the reference engine, which computes in double and rounds once. This is the only such
 * table; widening it to make a test pass is a defect.
 */
public final class Tolerances {
    /** The allowed error of one elementwise op, in units in the last place. */
    private static final double ELEMENTWISE_UNITS = 2;

    private Tolerances() {}

    /** The distance from 1 to the next number. */
    private static double epsilon(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> 0x1p-52;
            case FLOAT32 -> 0x1p-23;
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> 0;
        };
    }

    /** Sums of 16-bit floats are accumulated in float32. */
    private static DType accumulator(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16 ? DType.FLOAT32 : dtype;
    }

    /** Returns true if an element that one op computed from a few elements is near enough. */
    public static boolean isClose(DType dtype, double expected, double actual) {
        return isClose(dtype, expected, actual, 0, 0);
    }

    /**
     * Returns true if an element that was accumulated from many terms is near enough:
     *
     * <pre>{@code |actual - expected| <= (2 u + length a) |expected| + length a magnitude}</pre>
     *
     * where u is the unit of the dtype, and a the unit of the accumulator's dtype. This is the bound of the worst order of
     * summation; a good one stays far below. Integers and bools must be equal.
     *
     * @param length the number of terms
     * @param magnitude the largest absolute value of a term
     */
    public static boolean isClose(DType dtype, double expected, double actual, long length, double magnitude) {
        if (expected == actual || Double.isNaN(expected) && Double.isNaN(actual)) {
            return true;
        }
        double accumulated = length * epsilon(accumulator(dtype));
        double relative = ELEMENTWISE_UNITS * epsilon(dtype) + accumulated;
        return Math.abs(actual - expected) <= relative * Math.abs(expected) + accumulated * magnitude;
    }
}
