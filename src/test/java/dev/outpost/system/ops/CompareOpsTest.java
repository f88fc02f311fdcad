package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CompareOpsTest extends OpsOnAMachine {
    @Test
    @Tag("quick")
    void comparisonsWithNaNAreFalseExceptNe() {
        Tensor x = doubles(1, 2, NAN);
        assertTruth(x.eq(2), false, true, false);
        assertTruth(x.ne(2), true, false, true);
        assertTruth(x.lt(2), true, false, false);
        assertTruth(x.le(2), true, true, false);
        assertTruth(x.gt(doubles(1)), false, true, false);
        assertTruth(x.ge(longs(2)), false, true, false);
    }

    @Test
    void integersAreComparedWithFractionsExactly() {
        assertTruth(longs(0, 1).lt(0.5), true, false);
    }

    @Test
    void specialValues() {
        Tensor x = doubles(1, -INF, INF, NAN, -0.0);
        assertTruth(x.isnan(), false, false, false, true, false);
        assertTruth(x.isinf(), false, true, true, false, false);
        assertTruth(x.isfinite(), true, false, false, false, true);
        assertTruth(x.isposinf(), false, false, true, false, false);
        assertTruth(x.isneginf(), false, true, false, false, false);
        assertTruth(doubles(1, -INF, -0.0).signbit(), false, true, true);
        assertTruth(longs(1, -1).signbit(), false, true);
        assertTruth(longs(1).isinf(), false);
        assertTruth(longs(1).isfinite(), true);
        assertTruth(longs(1).isreal(), true);
    }

    @Test
    void closeness() {
        Tensor x = doubles(1, INF, NAN, 100);
        Tensor y = doubles(1 + 1e-6, INF, NAN, 101);
        assertTruth(x.isclose(y), true, true, false, false);
        assertTruth(x.isclose(y, 0.1, 0, true), true, true, true, true);
        assertTruth(longs(10, 10).isclose(longs(10, 11), 0, 0.5, false), true, false);
        assertTrue(doubles(1).allclose(doubles(1 + 1e-7)));
        assertFalse(doubles(1).allclose(doubles(1.1)));
        assertRefused(
                "isclose: dtypes differ, got float64 and float32; cast the float32 one with to(DType.FLOAT64)",
                () -> doubles(1).isclose(floats(1)));
        assertRefused(
                "isclose: tolerances must not be negative, got -1.0 and 0.0",
                () -> doubles(1).isclose(doubles(1), -1, 0, false));
    }

    @Test
    void equality() {
        assertTrue(doubles(1, 2).equal(floats(1, 2)));
        assertFalse(doubles(1, 2).equal(doubles(1, 3)));
        assertFalse(doubles(1, NAN).equal(doubles(1, NAN)));
        assertFalse(doubles(1).equal(doubles(1, 1)));
        assertTrue(doubles().equal(doubles()));
    }

    @Test
    void logicTakesAnythingButZeroForTrue() {
        Tensor x = doubles(0, 2, NAN, 0);
        Tensor y = longs(1, 1, 0, 0);
        assertTruth(x.logicalAnd(y), false, true, false, false);
        assertTruth(x.logicalOr(y), true, true, true, false);
        assertTruth(x.logicalXor(y), true, false, true, false);
        assertTruth(x.logicalNot(), true, false, false, true);
        assertTruth(bools(true, false).logicalNot(), false, true);
    }

    @Test
    void bits() {
        assertValues(longs(12, -1).bitwiseAnd(10), 8, 10);
        assertValues(longs(12).bitwiseOr(longs(3)), 15);
        assertValues(longs(12).bitwiseXor(10), 6);
        assertValues(longs(0, -1).bitwiseNot(), -1, 0);
        assertTruth(bools(true, false).bitwiseNot(), false, true);
        assertValues(longs(1, -8).leftShift(3), 8, -64);
        assertValues(longs(16, -8).rightShift(longs(2)), 4, -2);
        assertRefused(
                "bitwise_and: not defined for float64, got float64[1] and float64[1]",
                () -> doubles(1).bitwiseAnd(doubles(1)));
    }
}
