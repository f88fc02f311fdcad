package dev.outpost.runtime.engine.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** {@link FloatMath} for as many floats at once as a register holds; the same bits. Loaded only where the JVM has the Vector API. */
final class VectorMath {
    static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;

    private static final int EXPONENT_BIAS = 127;
    private static final int MANTISSA_BITS = 23;

    private VectorMath() {}

    private static FloatVector broadcast(float number) {
        return FloatVector.broadcast(SPECIES, number);
    }

    static FloatVector exp(FloatVector x) {
        FloatVector notAbove = x.blend(FloatMath.EXP_BOUND, x.compare(VectorOperators.GT, FloatMath.EXP_BOUND));
        FloatVector bounded =
                notAbove.blend(-FloatMath.EXP_BOUND, notAbove.compare(VectorOperators.LT, -FloatMath.EXP_BOUND));
        FloatVector shifted = bounded.fma(broadcast(FloatMath.LOG2_E), broadcast(FloatMath.ROUNDER));
        FloatVector whole = shifted.sub(FloatMath.ROUNDER);
        FloatVector high = whole.fma(broadcast(-FloatMath.LN_2_HIGH), bounded);
        FloatVector rest = whole.fma(broadcast(-FloatMath.LN_2_LOW), high);
        FloatVector power = exponentialLessOne(rest).add(1f);
        IntVector exponent = shifted.reinterpretAsInts().sub(FloatMath.ROUNDER_BITS);
        IntVector half = exponent.lanewise(VectorOperators.ASHR, 1);
        return power.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
    }

    private static FloatVector exponentialLessOne(FloatVector x) {
        FloatVector sum = x.fma(broadcast(FloatMath.EXP_6), broadcast(FloatMath.EXP_5));
        sum = x.fma(sum, broadcast(FloatMath.EXP_4));
        sum = x.fma(sum, broadcast(FloatMath.EXP_3));
        sum = x.fma(sum, broadcast(FloatMath.EXP_2));
        sum = x.fma(sum, broadcast(FloatMath.EXP_1));
        return x.mul(x).fma(sum, x);
    }

    private static FloatVector powerOfTwo(IntVector exponent) {
        return exponent.add(EXPONENT_BIAS)
                .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
                .reinterpretAsFloats();
    }

    static FloatVector tanh(FloatVector x) {
        FloatVector size = x.abs();
        FloatVector bounded = size.blend(FloatMath.TANH_BOUND, size.compare(VectorOperators.GT, FloatMath.TANH_BOUND));
        FloatVector twice = bounded.add(bounded);
        FloatVector shifted = twice.fma(broadcast(FloatMath.LOG2_E), broadcast(FloatMath.ROUNDER));
        FloatVector whole = shifted.sub(FloatMath.ROUNDER);
        FloatVector high = whole.fma(broadcast(-FloatMath.LN_2_HIGH), twice);
        FloatVector rest = whole.fma(broadcast(-FloatMath.LN_2_LOW), high);
        FloatVector restPower = exponentialLessOne(rest);
        IntVector exponent = shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS);
        FloatVector two = exponent.add(FloatMath.ONE_BITS).reinterpretAsFloats();
        FloatVector power = two.fma(restPower, two.sub(1f));
        return signed(power.div(power.add(2f)), x);
    }

    /** What {@link #erf} takes the exponential of. */
    static FloatVector erfExponent(FloatVector x) {
        FloatVector size = x.abs();
        FloatVector bounded = size.blend(FloatMath.ERF_BOUND, size.compare(VectorOperators.GT, FloatMath.ERF_BOUND));
        FloatVector sum = bounded.fma(broadcast(FloatMath.ERF_TAIL_5), broadcast(FloatMath.ERF_TAIL_4));
        sum = bounded.fma(sum, broadcast(FloatMath.ERF_TAIL_3));
        sum = bounded.fma(sum, broadcast(FloatMath.ERF_TAIL_2));
        sum = bounded.fma(sum, broadcast(FloatMath.ERF_TAIL_1));
        sum = bounded.fma(sum, broadcast(FloatMath.ERF_TAIL_0));
        return bounded.fma(sum, bounded.neg());
    }

    /** @param power the exponential of {@link #erfExponent} */
    static FloatVector erf(FloatVector x, FloatVector power) {
        FloatVector square = x.mul(x);
        FloatVector sum = square.fma(broadcast(FloatMath.ERF_5), broadcast(FloatMath.ERF_4));
        sum = square.fma(sum, broadcast(FloatMath.ERF_3));
        sum = square.fma(sum, broadcast(FloatMath.ERF_2));
        sum = square.fma(sum, broadcast(FloatMath.ERF_1));
        sum = square.fma(sum, broadcast(FloatMath.ERF_0));
        FloatVector small = x.fma(sum, x);
        return small.blend(
                signed(broadcast(1f).sub(power), x), x.abs().compare(VectorOperators.GT, FloatMath.ERF_POLYNOMIAL));
    }

    /** A number that is not negative, with the sign of x. */
    private static FloatVector signed(FloatVector size, FloatVector x) {
        IntVector sign = x.reinterpretAsInts().and(Integer.MIN_VALUE);
        return size.reinterpretAsInts().or(sign).reinterpretAsFloats();
    }

    /** @param power the exponential of {@code -|x|} */
    static FloatVector sigmoid(FloatVector x, FloatVector power) {
        FloatVector large = broadcast(1f).div(power.add(1f));
        return large.blend(power.mul(large), x.compare(VectorOperators.LT, 0f));
    }
}
