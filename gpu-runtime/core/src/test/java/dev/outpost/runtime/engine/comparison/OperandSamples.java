package dev.outpost.runtime.engine.comparison;

import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;

/** The samples from which the elements of a test's operand are taken; always the same ones. */
public enum OperandSamples {
    /** From -4 to 4, none of them 0. */
    ORDINARY,
    /** Within 2 % of 1, so that long products stay in range; integers from 1 to 3. */
    NEAR_ONE,
    /** A few different values, including NaN and both zeros. */
    REPEATED,
    /** The difficult numbers: infinities, halves, extremes, zeros, counts at and beyond a dtype's width. */
    AWKWARD;

    private static final double[] REPEATED_FLOATS = {1, -0.0, 0, -2, Double.NaN, 3, 1, Double.POSITIVE_INFINITY, -2};
    private static final long[] REPEATED_INTEGERS = {1, 0, 3, 0, 2, 1, 3};
    private static final double[] AWKWARD_FLOATS = {
        0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3,
        -3,
        7.3,
        -7.3,
        1e-3,
        60,
        -60,
        1e4,
        1e-8,
        3e9,
        -3e9,
        1e38,
        1e-40,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        255.7,
        -128.9,
        40000.4,
        1e19,
        2,
        0.9999999,
        170
    };
    private static final long[] AWKWARD_INTEGERS = {
        0,
        1,
        -1,
        2,
        -2,
        3,
        7,
        8,
        -7,
        15,
        16,
        31,
        32,
        63,
        64,
        65,
        100,
        -100,
        127,
        -128,
        200,
        255,
        32767,
        -32768,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0x5555555555L
    };

    /** @param salt makes operands of one op differ */
    public HeapBuffer elements(DType dtype, int count, int salt) {
        HeapBuffer buffer = HeapBuffer.allocate(dtype, count);
        long state = 0x9E3779B97F4A7C15L * (salt + 1);
        for (int index = 0; index < count; index++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            put(buffer, index, (int) (state >>> 40), salt);
        }
        return buffer;
    }

    private void put(HeapBuffer buffer, int index, int random, int salt) {
        double fraction = random * 0x1p-24;
        // A different step for each salt, so that all pairs of elements occur.
        int place = index * (2 * salt + 1) + salt * (index / 7);
        if (buffer.dtype().isFloating()) {
            buffer.setDouble(index, floating(fraction, place));
        } else {
            buffer.setLong(index, integer(random, place));
        }
    }

    private double floating(double fraction, int place) {
        return switch (this) {
            case ORDINARY -> 8 * fraction - 4 + 0x1p-8;
            case NEAR_ONE -> 0.98 + 0.04 * fraction;
            case REPEATED -> REPEATED_FLOATS[place % REPEATED_FLOATS.length];
            case AWKWARD -> AWKWARD_FLOATS[place % AWKWARD_FLOATS.length];
        };
    }

    private long integer(int random, int place) {
        return switch (this) {
            case ORDINARY -> random % 2 == 0 ? 1 + random % 9 : -1 - random % 9;
            case NEAR_ONE -> 1 + random % 3;
            case REPEATED -> REPEATED_INTEGERS[place % REPEATED_INTEGERS.length];
            case AWKWARD -> AWKWARD_INTEGERS[place % AWKWARD_INTEGERS.length];
        };
    }
}
