package dev.outpost.runtime.engine.cpu.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.runtime.engine.cpu.tile.VectorTiles;
import dev.outpost.runtime.engine.cpu.tile.VectorTranscendentals;
import dev.outpost.runtime.math.SpecialFunctions;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests how far functions in float arithmetic differ from those in double arithmetic. */
class FloatMathTest {
    /** The step between the tested floats: a prime, so that all bits of the mantissa vary. */
    private static final int STEP = 1009;

    private static final double ULPS = 3;
    private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    @FunctionalInterface
    private interface FloatFunction {
        float apply(float x);
    }

    @Test
    void exponential() {
        check(FloatMath::exp, Math::exp, 104f);
        check(x -> FloatMath.exp(-x), x -> Math.exp(-x), 87f);
    }

    /** For numbers of at most 44 vectors compute it with fewer instructions, to the same bits. */
    @Test
    void exponentialOfWhatIsNegative() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        float[] x = new float[64];
        float[] power = new float[x.length];
        for (int bits = 0; bits <= INFINITE; bits += STEP * x.length / 2) {
            for (int i = 0; i < x.length; i += 2) {
                float size = Float.intBitsToFloat(Math.min(bits + STEP * i / 2, INFINITE));
                x[i] = -size;
                x[i + 1] = Math.min(size, 44f);
            }
            VectorTranscendentals.expOfNegative(x, 0, x, 0, power, 0, x.length);
            for (int i = 0; i < x.length; i++) {
                float of = x[i];
                assertEquals(FloatMath.exp(of), power[i], () -> "at " + of);
            }
        }
    }

    /** Each of the many NaNs stays a NaN, although exponents are shifted out of their bits. */
    @Test
    void nanAndInfinityAreHandled() {
        assumeTrue(Vectors.PRESENT, "the JVM has no Vector API");
        staysNan(VectorTiles::relu);
        staysNan(VectorTranscendentals::exp);
        staysNan(VectorTranscendentals::expOfNegative);
        staysNan(VectorTranscendentals::tanh);
        staysNan(curve(VectorTranscendentals::sigmoidExponent, VectorTranscendentals::sigmoid));
        staysNan(curve(VectorTranscendentals::erfExponent, VectorTranscendentals::erf));
    }

    private static TileOp curve(TileOp exponent, TileOp join) {
        return (a, atA, ignored, atIgnored, r, at, count) -> {
            float[] power = new float[count];
            exponent.run(a, atA, a, atA, power, 0, count);
            VectorTranscendentals.expOfNegative(power, 0, power, 0, power, 0, count);
            join.run(a, atA, power, 0, r, at, count);
        };
    }

    private static void staysNan(TileOp op) {
        float[] nans = new float[4096];
        for (int i = 0; i < nans.length; i += 2) {
            int bits = INFINITE + 1 + i * ((1 << FloatMath.MANTISSA_BITS) / nans.length);
            nans[i] = Float.intBitsToFloat(bits);
            nans[i + 1] = Float.intBitsToFloat(bits | Integer.MIN_VALUE);
        }
        float[] results = new float[nans.length];
        op.run(nans, 0, nans, 0, results, 0, nans.length);
        for (int i = 0; i < nans.length; i++) {
            int bits = Float.floatToRawIntBits(nans[i]);
            float result = results[i];
            assertTrue(Float.isNaN(result), () -> Integer.toHexString(bits) + " became " + result);
        }
    }

    @Test
    void hyperbolicTangent() {
        checkOdd(FloatMath::tanh, Math::tanh);
    }

    @Test
    void errorFunction() {
        checkOdd(FloatMath::erf, SpecialFunctions::erf);
    }

    @Test
    void logisticFunction() {
        check(FloatMath::sigmoid, SpecialFunctions::sigmoid, Float.MAX_VALUE);
        check(x -> FloatMath.sigmoid(-x), x -> SpecialFunctions.sigmoid(-x), 86f);
    }

    /** A function with values from -1 to 1, which it reaches but does not exceed. */
    private static void checkOdd(FloatFunction function, DoubleUnaryOperator exact) {
        check(function, exact, Float.MAX_VALUE);
        check(x -> -function.apply(-x), exact, Float.MAX_VALUE);
        assertEquals(1f, function.apply(Float.POSITIVE_INFINITY));
        assertEquals(-1f, function.apply(Float.NEGATIVE_INFINITY));
        assertEquals(0f, function.apply(0f));
        assertEquals(-0f, function.apply(-0f));
        assertTrue(Float.isNaN(function.apply(Float.NaN)));
    }

    private static void check(FloatFunction function, DoubleUnaryOperator exact, float bound) {
        for (int bits = 1; bits < Float.floatToRawIntBits(bound); bits += STEP) {
            float x = Float.intBitsToFloat(bits);
            double expected = exact.applyAsDouble(x);
            float rounded = (float) expected;
            float got = function.apply(x);
            double error = Float.isInfinite(rounded)
                    ? got == rounded ? 0 : ULPS + 1
                    : Math.abs(got - expected) / Math.ulp(rounded);
            assertTrue(error <= ULPS, () -> "at " + x + ": " + got + ", expected " + expected);
        }
    }
}
