package dev.outpost.runtime.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.math.SpecialFunctions;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** How far functions in float arithmetic are from those of doubles. */
class FloatMathTest {
    /** Every so many-th float is tried: a prime, so that all bits of the mantissa take part. */
    private static final int STEP = 1009;

    private static final double ULPS = 3;

    @FunctionalInterface
    private interface FloatFunction {
        float apply(float x);
    }

    @Test
    void exponential() {
        check(FloatMath::exp, Math::exp, 104f);
        check(x -> FloatMath.exp(-x), x -> Math.exp(-x), 87f);
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

    /** A function between -1 and 1, which it reaches and does not pass. */
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
