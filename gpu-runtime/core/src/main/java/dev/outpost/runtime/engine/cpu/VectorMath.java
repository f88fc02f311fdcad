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
        FloatVector sum = rest.fma(broadcast(FloatMath.EXP_6), broadcast(FloatMath.EXP_5));
        sum = rest.fma(sum, broadcast(FloatMath.EXP_4));
        sum = rest.fma(sum, broadcast(FloatMath.EXP_3));
        sum = rest.fma(sum, broadcast(FloatMath.EXP_2));
        sum = rest.fma(sum, broadcast(FloatMath.EXP_1));
        FloatVector power = rest.mul(rest).fma(sum, rest).add(1f);
        IntVector exponent = shifted.reinterpretAsInts().sub(FloatMath.ROUNDER_BITS);
        IntVector half = exponent.lanewise(VectorOperators.ASHR, 1);
        return power.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
    }

    private static FloatVector powerOfTwo(IntVector exponent) {
        return exponent.add(EXPONENT_BIAS)
                .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
                .reinterpretAsFloats();
    }

    /** What {@link #tanh} takes the exponential of. */
    static FloatVector tanhExponent(FloatVector x) {
        FloatVector size = x.abs();
        return size.blend(FloatMath.TANH_BOUND, size.compare(VectorOperators.GT, FloatMath.TANH_BOUND))
                .mul(2f);
    }

    /** @param power the exponential of {@link #tanhExponent} */
    static FloatVector tanh(FloatVector x, FloatVector power) {
        FloatVector square = x.mul(x);
        FloatVector sum = square.fma(broadcast(FloatMath.TANH_4), broadcast(FloatMath.TANH_3));
        sum = square.fma(sum, broadcast(FloatMath.TANH_2));
        sum = square.fma(sum, broadcast(FloatMath.TANH_1));
        sum = square.fma(sum, broadcast(FloatMath.TANH_0));
        FloatVector small = x.fma(square.fma(sum, broadcast(0f)), x);
        FloatVector large = broadcast(1f).sub(broadcast(2f).div(power.add(1f)));
        FloatVector signed = large.blend(large.neg(), x.compare(VectorOperators.LT, 0f));
        return signed.blend(small, x.abs().compare(VectorOperators.LT, FloatMath.TANH_POLYNOMIAL));
    }

    /** @param power the exponential of {@code -|x|} */
    static FloatVector sigmoid(FloatVector x, FloatVector power) {
        FloatVector large = broadcast(1f).div(power.add(1f));
        return large.blend(power.mul(large), x.compare(VectorOperators.LT, 0f));
    }
}
