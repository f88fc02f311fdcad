package dev.outpost.runtime.engine.cpu.vector;

/**
 * Functions of floats that use only float arithmetic, so that {@link VectorMath} can compute the same bits for many
 * floats at once. Errors are at most 3 ulps. The coefficients of the exponential are taken from SLEEF's expf. The
 * coefficients of tanh and erf minimize the largest error, by Lawson's algorithm.
 */
public final class FloatMath {
    static final float LOG2_E = 1.442695040888963407359924681f;
    /** The upper part of the logarithm of 2. Its last bits are zero. */
    static final float LN_2_HIGH = 0.693145751953125f;

    static final float LN_2_LOW = 1.428606765330187045e-06f;

    /**
     * 1.5 times 2 to the power of 23. The sum of this and another number is rounded to a whole number, which is then
     * in the last bits of the sum.
     */
    static final float ROUNDER = 12582912f;

    /** The number to subtract from the bits of a rounded number, so that they contain the exponent plus twice the exponent's bias. */
    static final int TWICE_BIASED = 0x4B400000 - 2 * 127;

    /** The number of bits below the exponent of a float. */
    static final int MANTISSA_BITS = 23;

    /** The number above which the exponential is infinite; below its negative the exponential is 0. */
    static final float EXP_BOUND = 104f;

    /** {@link #BIASED_ROUNDER} plus 64. Raising an exponent by 64 keeps the float normal. */
    static final float RAISED_ROUNDER = ROUNDER + 127 + 64;

    /** The factor that lowers an exponent by 64 again. */
    static final float LOWERING = 0x1p-64f;

    static final float EXP_6 = 0.000198527617612853646278381f;
    static final float EXP_5 = 0.00139304355252534151077271f;
    static final float EXP_4 = 0.00833336077630519866943359f;
    static final float EXP_3 = 0.0416664853692054748535156f;
    static final float EXP_2 = 0.166666671633720397949219f;
    static final float EXP_1 = 0.5f;

    /** The number from which the nearest float to tanh is 1. */
    static final float TANH_BOUND = 9.5f;

    static final float TWICE_LOG2_E = 2.885390081777926814719849362f;
    static final float HALF_LN_2 = 0.346573590279972654708616061f;

    /** {@link #ROUNDER} with the bias of an exponent in its last bits. */
    static final float BIASED_ROUNDER = ROUNDER + 127;

    /** Coefficients of (exp(2x) - 1) / 2 - x. */
    static final float TANH_6 = 0.04442405328154564f;

    static final float TANH_5 = 0.13386476039886475f;
    static final float TANH_4 = 0.33333760499954224f;
    static final float TANH_3 = 0.6666617393493652f;
    static final float TANH_2 = 0.9999999403953552f;

    /**
     * The number up to which the error function is computed by a polynomial. Beyond it, it is computed as 1 minus an
     * exponential.
     */
    static final float ERF_POLYNOMIAL = 0.92f;

    /** The number from which the nearest float to erf is 1. */
    static final float ERF_BOUND = 4f;

    /** Coefficients of erf(x) / x - 1, as a polynomial of the square of x. */
    static final float ERF_5 = -0.0005953739236416128f;

    static final float ERF_4 = 0.004985940065049301f;
    static final float ERF_3 = -0.026761719462503334f;
    static final float ERF_2 = 0.11281682528395871f;
    static final float ERF_1 = -0.37612481098650213f;
    static final float ERF_0 = 0.12837914769060296f;

    /** Coefficients of ln(1 - erf(x)) / x + 1. */
    static final float ERF_TAIL_5 = 0.00021398427109485486f;

    static final float ERF_TAIL_4 = -0.0032149508973575605f;
    static final float ERF_TAIL_3 = 0.022889951519227f;
    static final float ERF_TAIL_2 = -0.10526182650197677f;
    static final float ERF_TAIL_1 = -0.6357183258721822f;
    static final float ERF_TAIL_0 = -0.12851435831829264f;

    private FloatMath() {}

    public static float exp(float x) {
        // Uses comparisons, because min and max take five instructions to treat a NaN as Java demands. Here a NaN stays
        // a NaN anyway.
        float notAbove = x > EXP_BOUND ? EXP_BOUND : x;
        float bounded = x < -EXP_BOUND ? -EXP_BOUND : notAbove;
        float shifted = Math.fma(bounded, LOG2_E, ROUNDER);
        float whole = shifted - ROUNDER;
        float rest = Math.fma(whole, -LN_2_LOW, Math.fma(whole, -LN_2_HIGH, bounded));
        // The result is scaled in two steps, because a single power of two with this exponent may be too large or too
        // small for a float.
        int exponent = Float.floatToRawIntBits(shifted) - TWICE_BIASED;
        int half = exponent >> 1;
        float first = Float.intBitsToFloat(half << MANTISSA_BITS);
        float second = Float.intBitsToFloat(exponent - half << MANTISSA_BITS);
        return Math.fma(exponentialLessOne(rest), first, first) * second;
    }

    /**
     * Computes exp(x) - 1 for an absolute value of at most half the logarithm of 2. Terms are combined in pairs, so
     * that the processor can compute the pairs in parallel.
     */
    private static float exponentialLessOne(float x) {
        float square = x * x;
        float sum = Math.fma(square, Math.fma(x, EXP_6, EXP_5), Math.fma(x, EXP_4, EXP_3));
        return Math.fma(square, Math.fma(square, sum, Math.fma(x, EXP_2, EXP_1)), x);
    }

    /**
     * Computes tanh as the quotient of e and e + 1, with {@code e = (exp(2|x|) - 1) / 2}. The quotient is accurate to its last bits even
     * for small x. The multiple of half the logarithm of 2 is subtracted in one step; the loss of precision, if any, hardly shows in tanh.
     */
    public static float tanh(float x) {
        float size = Math.abs(x);
        float bounded = size > TANH_BOUND ? TANH_BOUND : size;
        float shifted = Math.fma(bounded, TWICE_LOG2_E, BIASED_ROUNDER);
        float rest = Math.fma(shifted - BIASED_ROUNDER, -HALF_LN_2, bounded);
        // The biased exponent is small enough to be shifted to its place; the shift removes all other bits.
        float two = Float.intBitsToFloat(Float.floatToRawIntBits(shifted) << MANTISSA_BITS);
        float power = Math.fma(two, halfPowerLessHalf(rest), Math.fma(two, 0.5f, -0.5f));
        return Math.copySign(power / (power + 1f), x);
    }

    /** Computes (exp(2x) - 1) / 2 for an absolute value of at most a quarter of the logarithm of 2. */
    private static float halfPowerLessHalf(float x) {
        float sum = Math.fma(x, TANH_6, TANH_5);
        sum = Math.fma(x, sum, TANH_4);
        sum = Math.fma(x, sum, TANH_3);
        sum = Math.fma(x, sum, TANH_2);
        return Math.fma(x * x, sum, x);
    }

    public static float erf(float x) {
        return erf(x, exp(erfExponent(x)));
    }

    /** Returns the exponent of {@link #erf}: the logarithm of {@code 1 - erf(|x|)}. */
    public static float erfExponent(float x) {
        float size = Math.abs(x);
        float bounded = size > ERF_BOUND ? ERF_BOUND : size;
        float sum = Math.fma(bounded, ERF_TAIL_5, ERF_TAIL_4);
        sum = Math.fma(bounded, sum, ERF_TAIL_3);
        sum = Math.fma(bounded, sum, ERF_TAIL_2);
        sum = Math.fma(bounded, sum, ERF_TAIL_1);
        sum = Math.fma(bounded, sum, ERF_TAIL_0);
        return Math.fma(bounded, sum, -bounded);
    }

    /** @param power the exponential of {@link #erfExponent} */
    public static float erf(float x, float power) {
        float square = x * x;
        float sum = Math.fma(square, ERF_5, ERF_4);
        sum = Math.fma(square, sum, ERF_3);
        sum = Math.fma(square, sum, ERF_2);
        sum = Math.fma(square, sum, ERF_1);
        sum = Math.fma(square, sum, ERF_0);
        float small = Math.fma(x, sum, x);
        return Math.abs(x) > ERF_POLYNOMIAL ? Math.copySign(1f - power, x) : small;
    }

    public static float sigmoid(float x) {
        return sigmoid(x, exp(sigmoidExponent(x)));
    }

    /** Returns the exponent of {@link #sigmoid}. */
    public static float sigmoidExponent(float x) {
        return -Math.abs(x);
    }

    /** @param power the exponential of {@link #sigmoidExponent} */
    public static float sigmoid(float x, float power) {
        float large = 1f / (1f + power);
        return x < 0f ? power * large : large;
    }
}
