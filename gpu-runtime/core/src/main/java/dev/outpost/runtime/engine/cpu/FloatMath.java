package dev.outpost.runtime.engine.cpu;

/**
 * Functions of a float in float arithmetic alone, so that {@link VectorMath} can compute the same bits for many at once.
 * Within 3 ulps of the exact result; the coefficients of the polynomials are those of SLEEF's expf and Cephes' tanhf.
 */
final class FloatMath {
    static final float LOG2_E = 1.442695040888963407359924681f;
    /** The logarithm of 2 in two parts, the first of which has zeros at its end. */
    static final float LN_2_HIGH = 0.693145751953125f;

    static final float LN_2_LOW = 1.428606765330187045e-06f;

    /** 1.5 times 2 to the 23: what is added to it is rounded to a whole number, which its last bits then are. */
    static final float ROUNDER = 12582912f;

    static final int ROUNDER_BITS = 0x4B400000;

    /** Beyond this the exponential is infinite, and below its negative 0. */
    static final float EXP_BOUND = 104f;

    static final float EXP_6 = 0.000198527617612853646278381f;
    static final float EXP_5 = 0.00139304355252534151077271f;
    static final float EXP_4 = 0.00833336077630519866943359f;
    static final float EXP_3 = 0.0416664853692054748535156f;
    static final float EXP_2 = 0.166666671633720397949219f;
    static final float EXP_1 = 0.5f;

    /** Up to here a polynomial is closer than a quotient of exponentials. */
    static final float TANH_POLYNOMIAL = 0.625f;

    /** From here on the nearest float is 1. */
    static final float TANH_BOUND = 10f;

    static final float TANH_4 = -5.70498872745e-3f;
    static final float TANH_3 = 2.06390887954e-2f;
    static final float TANH_2 = -5.37397155531e-2f;
    static final float TANH_1 = 1.33314422036e-1f;
    static final float TANH_0 = -3.33332819422e-1f;

    private FloatMath() {}

    static float exp(float x) {
        // Not by min and max, which take five instructions to treat a NaN as Java wants it: here it stays one anyway.
        float notAbove = x > EXP_BOUND ? EXP_BOUND : x;
        float bounded = notAbove < -EXP_BOUND ? -EXP_BOUND : notAbove;
        float shifted = Math.fma(bounded, LOG2_E, ROUNDER);
        float whole = shifted - ROUNDER;
        float rest = Math.fma(whole, -LN_2_LOW, Math.fma(whole, -LN_2_HIGH, bounded));
        float sum = Math.fma(rest, EXP_6, EXP_5);
        sum = Math.fma(rest, sum, EXP_4);
        sum = Math.fma(rest, sum, EXP_3);
        sum = Math.fma(rest, sum, EXP_2);
        sum = Math.fma(rest, sum, EXP_1);
        float power = Math.fma(rest * rest, sum, rest) + 1f;
        int exponent = Float.floatToRawIntBits(shifted) - ROUNDER_BITS;
        int half = exponent >> 1;
        // In two steps: one power of two of that exponent may be too large or too small for a float.
        return power * powerOfTwo(half) * powerOfTwo(exponent - half);
    }

    private static float powerOfTwo(int exponent) {
        return Float.intBitsToFloat(exponent + 127 << 23);
    }

    static float tanh(float x) {
        return tanh(x, exp(tanhExponent(x)));
    }

    /** What {@link #tanh} takes the exponential of. */
    static float tanhExponent(float x) {
        float size = Math.abs(x);
        return 2f * (size > TANH_BOUND ? TANH_BOUND : size);
    }

    /** @param power the exponential of {@link #tanhExponent} */
    static float tanh(float x, float power) {
        float square = x * x;
        float sum = Math.fma(square, TANH_4, TANH_3);
        sum = Math.fma(square, sum, TANH_2);
        sum = Math.fma(square, sum, TANH_1);
        sum = Math.fma(square, sum, TANH_0);
        // The zero that is added makes a zero positive, which lets -0 stay what it is.
        float small = Math.fma(x, Math.fma(square, sum, 0f), x);
        float large = 1f - 2f / (power + 1f);
        return Math.abs(x) < TANH_POLYNOMIAL ? small : x < 0f ? -large : large;
    }

    static float sigmoid(float x) {
        return sigmoid(x, exp(sigmoidExponent(x)));
    }

    /** What {@link #sigmoid} takes the exponential of. */
    static float sigmoidExponent(float x) {
        return -Math.abs(x);
    }

    /** @param power the exponential of {@link #sigmoidExponent} */
    static float sigmoid(float x, float power) {
        float large = 1f / (1f + power);
        return x < 0f ? power * large : large;
    }
}
