package dev.outpost.runtime.engine.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes the functions of {@link FloatMath} for a register of floats at once, with the same bits. This class is
 * loaded only if the JVM has the Vector API. <p>No method has more than 35 bytes of code, because the JIT always
 * inlines such short methods. If it does not inline a method, every vector is an object, and an exponential takes 2.2
 * ns for each number instead of 0.4 ns.
 */
public final class VectorMath {
    public static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    private VectorMath() {}

    /**
     * Casts the vector to its exact class. The JIT knows the class of a loop variable only if the loop has run before
     * it is compiled. Otherwise each operation on the variable stays a call, and each vector an object (5 ns for each
     * element instead of 0.06 ns). For the same reason, the loops call methods on the value that was just read.
     */
    public static FloatVector exact(FloatVector vector) {
        return (FloatVector) SPECIES.vectorType().cast(vector);
    }

    private static FloatVector broadcast(float number) {
        return FloatVector.broadcast(SPECIES, number);
    }

    /** {@code x a + b}. */
    private static FloatVector line(FloatVector x, float a, float b) {
        return x.fma(broadcast(a), broadcast(b));
    }

    /** Replaces numbers above the bound by the bound. A NaN stays a NaN. */
    private static FloatVector atMost(FloatVector x, float bound) {
        return x.blend(bound, x.compare(VectorOperators.GT, bound));
    }

    /** Returns a vector that is 1 where the mask is set, and 0 elsewhere. */
    public static FloatVector flag(VectorMask<Float> mask) {
        return FloatVector.zero(SPECIES).blend(1f, mask);
    }

    /** Uses a comparison, since a maximum takes five instructions to treat a NaN as Java demands. Here a NaN stays a NaN anyway. */
    public static FloatVector relu(FloatVector x) {
        return x.blend(0f, x.compare(VectorOperators.LE, 0f));
    }

    public static FloatVector exp(FloatVector x) {
        FloatVector bounded = atMost(x, FloatMath.EXP_BOUND)
                .blend(-FloatMath.EXP_BOUND, x.compare(VectorOperators.LT, -FloatMath.EXP_BOUND));
        return expBounded(bounded, line(bounded, FloatMath.LOG2_E, FloatMath.ROUNDER));
    }

    /** @param shifted a number whose last bits are the multiple of the logarithm of 2 in the exponent */
    private static FloatVector expBounded(FloatVector bounded, FloatVector shifted) {
        IntVector exponent = shifted.reinterpretAsInts().sub(FloatMath.TWICE_BIASED);
        return scaled(exponentialLessOne(rest(bounded, shifted.sub(FloatMath.ROUNDER))), exponent);
    }

    /** Adds one and scales by the two halves of an exponent, each of them biased. */
    private static FloatVector scaled(FloatVector lessOne, IntVector exponent) {
        IntVector half = exponent.lanewise(VectorOperators.ASHR, 1);
        FloatVector first = powerOfTwo(half);
        return lessOne.fma(first, first).mul(powerOfTwo(exponent.sub(half)));
    }

    private static FloatVector powerOfTwo(IntVector biased) {
        return biased.lanewise(VectorOperators.LSHL, FloatMath.MANTISSA_BITS).reinterpretAsFloats();
    }

    /**
     * Computes {@link #exp} for numbers that are not above 44, in three quarters of its instructions. No upper bound is needed. The
     * raised exponent fits into one float, so only the final lowering can round.
     */
    public static FloatVector expOfNegative(FloatVector x) {
        FloatVector bounded = x.blend(-FloatMath.EXP_BOUND, x.compare(VectorOperators.LT, -FloatMath.EXP_BOUND));
        return expLowered(bounded, line(bounded, FloatMath.LOG2_E, FloatMath.RAISED_ROUNDER));
    }

    private static FloatVector expLowered(FloatVector bounded, FloatVector shifted) {
        FloatVector lessOne = exponentialLessOne(rest(bounded, shifted.sub(FloatMath.RAISED_ROUNDER)));
        FloatVector raised = powerOfTwo(shifted.reinterpretAsInts());
        return lessOne.fma(raised, raised).mul(FloatMath.LOWERING);
    }

    /** Returns the rest of x after subtracting a whole multiple of the logarithm of 2. */
    private static FloatVector rest(FloatVector x, FloatVector whole) {
        FloatVector high = whole.fma(broadcast(-FloatMath.LN_2_HIGH), x);
        return whole.fma(broadcast(-FloatMath.LN_2_LOW), high);
    }

    private static FloatVector exponentialLessOne(FloatVector x) {
        FloatVector square = x.mul(x);
        FloatVector sum = square.fma(exponentialEnd(x, square), line(x, FloatMath.EXP_2, FloatMath.EXP_1));
        return square.fma(sum, x);
    }

    private static FloatVector exponentialEnd(FloatVector x, FloatVector square) {
        return square.fma(line(x, FloatMath.EXP_6, FloatMath.EXP_5), line(x, FloatMath.EXP_4, FloatMath.EXP_3));
    }

    public static FloatVector tanh(FloatVector x) {
        FloatVector power = tanhPower(atMost(x.abs(), FloatMath.TANH_BOUND));
        return signed(power.div(power.add(1f)), x);
    }

    /** Computes (exp(2x) - 1) / 2 for numbers that are neither negative nor large. */
    private static FloatVector tanhPower(FloatVector x) {
        FloatVector shifted = line(x, FloatMath.TWICE_LOG2_E, FloatMath.BIASED_ROUNDER);
        FloatVector whole = shifted.sub(FloatMath.BIASED_ROUNDER);
        return tanhPower(powerOfTwo(shifted.reinterpretAsInts()), whole.fma(broadcast(-FloatMath.HALF_LN_2), x));
    }

    private static FloatVector tanhPower(FloatVector two, FloatVector rest) {
        FloatVector power = rest.mul(rest).fma(tanhSum(rest), rest);
        return two.fma(power, line(two, 0.5f, -0.5f));
    }

    private static FloatVector tanhSum(FloatVector x) {
        FloatVector sum = x.fma(tanhEnd(x), broadcast(FloatMath.TANH_3));
        return x.fma(sum, broadcast(FloatMath.TANH_2));
    }

    private static FloatVector tanhEnd(FloatVector x) {
        return x.fma(line(x, FloatMath.TANH_6, FloatMath.TANH_5), broadcast(FloatMath.TANH_4));
    }

    /** Returns the exponent of {@link #erf}. */
    public static FloatVector erfExponent(FloatVector x) {
        FloatVector bounded = atMost(x.abs(), FloatMath.ERF_BOUND);
        FloatVector sum = bounded.fma(erfTail(bounded), broadcast(FloatMath.ERF_TAIL_0));
        return bounded.fma(sum, bounded.neg());
    }

    private static FloatVector erfTail(FloatVector x) {
        FloatVector sum = x.fma(erfTailEnd(x), broadcast(FloatMath.ERF_TAIL_2));
        return x.fma(sum, broadcast(FloatMath.ERF_TAIL_1));
    }

    private static FloatVector erfTailEnd(FloatVector x) {
        return x.fma(line(x, FloatMath.ERF_TAIL_5, FloatMath.ERF_TAIL_4), broadcast(FloatMath.ERF_TAIL_3));
    }

    /** @param power the exponential of {@link #erfExponent} */
    public static FloatVector erf(FloatVector x, FloatVector power) {
        FloatVector large = signed(broadcast(1f).sub(power), x);
        return smallErf(x).blend(large, x.abs().compare(VectorOperators.GT, FloatMath.ERF_POLYNOMIAL));
    }

    private static FloatVector smallErf(FloatVector x) {
        FloatVector square = x.mul(x);
        FloatVector sum = square.fma(erfSum(square), broadcast(FloatMath.ERF_0));
        return x.fma(sum, x);
    }

    private static FloatVector erfSum(FloatVector square) {
        FloatVector sum = square.fma(erfEnd(square), broadcast(FloatMath.ERF_2));
        return square.fma(sum, broadcast(FloatMath.ERF_1));
    }

    private static FloatVector erfEnd(FloatVector square) {
        return square.fma(line(square, FloatMath.ERF_5, FloatMath.ERF_4), broadcast(FloatMath.ERF_3));
    }

    /** Gives a number that is not negative the sign of x. */
    private static FloatVector signed(FloatVector size, FloatVector x) {
        IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
        return size.reinterpretAsInts().or(sign).reinterpretAsFloats();
    }

    /** @param power the exponential of {@code -|x|} */
    public static FloatVector sigmoid(FloatVector x, FloatVector power) {
        FloatVector large = broadcast(1f).div(power.add(1f));
        return large.blend(power.mul(large), x.compare(VectorOperators.LT, 0f));
    }
}
