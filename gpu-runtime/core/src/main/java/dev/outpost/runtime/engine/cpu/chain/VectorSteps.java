package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.tile.ScalarTiles;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The code of each {@link VectorStep}. It computes the same bits as {@link ScalarTiles}. As in {@link VectorMath}, each method is short
 * enough for the JIT to inline it always. Generated code calls the methods by name.
 */
public final class VectorSteps {
    private VectorSteps() {}

    public static FloatVector add(FloatVector x, FloatVector y) {
        return x.add(y);
    }

    public static FloatVector sub(FloatVector x, FloatVector y) {
        return x.sub(y);
    }

    public static FloatVector mul(FloatVector x, FloatVector y) {
        return x.mul(y);
    }

    public static FloatVector div(FloatVector x, FloatVector y) {
        return x.div(y);
    }

    public static FloatVector maximum(FloatVector x, FloatVector y) {
        return x.max(y);
    }

    public static FloatVector minimum(FloatVector x, FloatVector y) {
        return x.min(y);
    }

    public static FloatVector eq(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.EQ, y));
    }

    public static FloatVector ne(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.NE, y));
    }

    public static FloatVector lt(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.LT, y));
    }

    public static FloatVector le(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.LE, y));
    }

    public static FloatVector gt(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.GT, y));
    }

    public static FloatVector ge(FloatVector x, FloatVector y) {
        return flag(x.compare(VectorOperators.GE, y));
    }

    private static FloatVector flag(VectorMask<Float> mask) {
        return FloatVector.zero(VectorMath.SPECIES).blend(1f, mask);
    }

    public static FloatVector neg(FloatVector x) {
        return x.neg();
    }

    public static FloatVector abs(FloatVector x) {
        return x.abs();
    }

    public static FloatVector sqrt(FloatVector x) {
        return x.sqrt();
    }

    public static FloatVector relu(FloatVector x) {
        return VectorMath.relu(x);
    }

    public static FloatVector copy(FloatVector x) {
        return x;
    }

    public static FloatVector not(FloatVector x) {
        return FloatVector.broadcast(VectorMath.SPECIES, 1f).sub(x);
    }

    public static FloatVector exp(FloatVector x) {
        return VectorMath.exp(x);
    }

    public static FloatVector expOfNegative(FloatVector x) {
        return VectorMath.expOfNegative(x);
    }

    public static FloatVector tanh(FloatVector x) {
        return VectorMath.tanh(x);
    }

    public static FloatVector sigmoidExponent(FloatVector x) {
        return x.abs().neg();
    }

    /** @param power the exponential of {@link #sigmoidExponent} */
    public static FloatVector sigmoid(FloatVector x, FloatVector power) {
        return VectorMath.sigmoid(x, power);
    }

    public static FloatVector erfExponent(FloatVector x) {
        return VectorMath.erfExponent(x);
    }

    /** @param power the exponential of {@link #erfExponent} */
    public static FloatVector erf(FloatVector x, FloatVector power) {
        return VectorMath.erf(x, power);
    }

    /** Selects the second operand wherever the condition is not 0, and the third one elsewhere. */
    public static FloatVector choose(FloatVector condition, FloatVector x, FloatVector y) {
        return y.blend(x, condition.compare(VectorOperators.NE, 0f));
    }
}
