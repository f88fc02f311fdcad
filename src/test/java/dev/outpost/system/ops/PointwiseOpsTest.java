package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.Tensor;
import dev.outpost.ops.DivMode;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PointwiseOpsTest extends OpsOnAMachine {
    private static Arguments function(String name, UnaryOperator<Tensor> op, DoubleUnaryOperator expected) {
        return Arguments.of(name, op, expected);
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                function("neg", Tensor::neg, x -> -x),
                function("abs", Tensor::abs, Math::abs),
                function("sign", Tensor::sign, Math::signum),
                function("ceil", Tensor::ceil, Math::ceil),
                function("floor", Tensor::floor, Math::floor),
                function("trunc", Tensor::trunc, x -> x < 0 ? Math.ceil(x) : Math.floor(x)),
                function("round", Tensor::round, Math::rint),
                function("frac", Tensor::frac, x -> x % 1),
                function("sqrt", x -> x.abs().sqrt(), x -> Math.sqrt(Math.abs(x))),
                function("rsqrt", x -> x.abs().rsqrt(), x -> 1 / Math.sqrt(Math.abs(x))),
                function("reciprocal", Tensor::reciprocal, x -> 1 / x),
                function("square", Tensor::square, x -> x * x),
                function("exp", Tensor::exp, Math::exp),
                function("exp2", Tensor::exp2, x -> Math.pow(2, x)),
                function("expm1", Tensor::expm1, Math::expm1),
                function("log", x -> x.abs().log(), x -> Math.log(Math.abs(x))),
                function("log2", x -> x.abs().log2(), x -> Math.log(Math.abs(x)) / Math.log(2)),
                function("log10", x -> x.abs().log10(), x -> Math.log10(Math.abs(x))),
                function("log1p", x -> x.abs().log1p(), x -> Math.log1p(Math.abs(x))),
                function("sin", Tensor::sin, Math::sin),
                function("cos", Tensor::cos, Math::cos),
                function("tan", Tensor::tan, Math::tan),
                function("asin", x -> x.div(3).asin(), x -> Math.asin(x / 3)),
                function("acos", x -> x.div(3).acos(), x -> Math.acos(x / 3)),
                function("atan", Tensor::atan, Math::atan),
                function("sinh", Tensor::sinh, Math::sinh),
                function("cosh", Tensor::cosh, Math::cosh),
                function("tanh", Tensor::tanh, Math::tanh),
                function("asinh", Tensor::asinh, x -> Math.signum(x) * Math.log(Math.abs(x) + Math.hypot(x, 1))),
                function("acosh", x -> x.cosh().acosh(), Math::abs),
                function("atanh", x -> x.tanh().atanh(), x -> x),
                function("sigmoid", Tensor::sigmoid, x -> 1 / (1 + Math.exp(-x))),
                function("erfinv", x -> x.div(3).erf().erfinv(), x -> x / 3),
                function("erfc", x -> x.erfc().add(x.erf()), x -> 1),
                function("lgamma", x -> x.abs().add(1).lgamma().sub(x.abs().lgamma()), x -> Math.log(Math.abs(x))),
                function("digamma", x -> x.abs().add(1).digamma().sub(x.abs().digamma()), x -> 1 / Math.abs(x)),
                function("sinc", Tensor::sinc, x -> Math.sin(Math.PI * x) / (Math.PI * x)),
                function("deg2rad", Tensor::deg2rad, Math::toRadians),
                function("rad2deg", Tensor::rad2deg, Math::toDegrees),
                function("logit", x -> x.sigmoid().logit(), x -> x));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("functions")
    void aFunctionIsTheMathematicalOne(String name, UnaryOperator<Tensor> op, DoubleUnaryOperator expected) {
        double[] x = {-2.5, -0.75, 0.25, 1.5, 2.5};
        assertValues(op.apply(doubles(x)), DoubleStream.of(x).map(expected).toArray());
        assertIs(DType.FLOAT32, Shape.of(5), op.apply(floats(x)));
    }

    @Test
    @Tag("quick")
    void integersStayIntegersWhereNoFractionArises() {
        Tensor x = longs(-3, 7);
        for (Tensor same : new Tensor[] {x.ceil(), x.floor(), x.trunc(), x.round(), x.round(2)}) {
            assertIs(DType.INT64, Shape.of(2), same);
            assertValues(same, -3, 7);
        }
        assertIs(DType.FLOAT32, Shape.of(2), x.sqrt());
        assertRefused(
                "floor: not defined for bool, got bool[1]", () -> bools(true).floor());
        assertRefused(
                "neg: not defined for bool, use logicalNot, got bool[1]",
                () -> bools(true).neg());
    }

    @Test
    void roundingToDecimalsIsToEven() {
        assertValues(doubles(2.345678, -2.345678).round(3), 2.346, -2.346);
        assertValues(doubles(1250, 1350).round(-2), 1200, 1400);
        assertValues(doubles(0.5, 1.5, 2.5).round(), 0, 2, 2);
    }

    @Test
    @Tag("quick")
    void dtypesArePromotedAsInPyTorch() {
        assertEquals(DType.INT64, longs(1).add(1).dtype());
        assertEquals(DType.FLOAT32, longs(1).add(1.5).dtype());
        assertEquals(DType.FLOAT32, longs(1).div(longs(2)).dtype());
        assertEquals(DType.FLOAT16, floats(1).float16().add(doubles(1).sum()).dtype());
        assertEquals(DType.FLOAT64, floats(1).add(doubles(1)).dtype());
        assertEquals(DType.INT16, longs(1).int8().add(longs(1).uint8()).dtype());
        assertEquals(DType.INT64, bools(true).mul(2).dtype());
        assertEquals(DType.BOOL, bools(true).add(bools(true)).dtype());
        assertEquals(DType.FLOAT32, longs(3).pow(2.0).dtype());
        assertEquals(DType.FLOAT64, longs(3).floatPower(2).dtype());
    }

    @Test
    void arithmeticWithAlpha() {
        assertValues(doubles(1, 2).add(doubles(3, 4), 2), 7, 10);
        assertValues(longs(1, 2).sub(longs(3, 4), 2), -5, -6);
        assertValues(doubles(1, 2).rsub(1), 0, -1);
        assertRefused("add: alpha must be a whole number for int64, got 0.5", () -> longs(1).add(longs(1), 0.5));
        assertRefused(
                "sub: not defined for bool, use logicalXor or logicalNot, got bool[1] and bool[1]",
                () -> bools(true).sub(bools(true)));
    }

    @Test
    void quotientsRound() {
        Tensor x = longs(7, -7);
        assertValues(x.div(2, DivMode.TRUNC), 3, -3);
        assertValues(x.div(longs(2), DivMode.FLOOR), 3, -4);
        assertValues(x.floorDivide(2), 3, -4);
        assertValues(x.remainder(3), 1, 2);
        assertValues(x.fmod(3), 1, -1);
        assertValues(x.div(2), 3.5, -3.5);
        assertValues(doubles(4, 0).rdiv(2), 0.5, INF);
    }

    @Test
    void powers() {
        assertValues(doubles(2, -3).pow(2), 4, 9);
        assertValues(longs(2, 3).pow(longs(3, 2)), 8, 9);
        assertValues(doubles(2, 3).rpow(2), 4, 8);
        assertRefused(
                "pow: integers to negative whole powers are not defined, got int64[1] and -1", () -> longs(2).pow(-1));
    }

    @Test
    void extremesAndNaN() {
        Tensor a = doubles(1, NAN, 3);
        Tensor b = doubles(2, 2, NAN);
        assertValues(a.maximum(b), 2, NAN, NAN);
        assertValues(a.minimum(b), 1, NAN, NAN);
        assertValues(a.fmax(b), 2, 2, 3);
        assertValues(a.fmin(b), 1, 2, 3);
    }

    @Test
    @Tag("quick")
    void clampingKeepsNaNAndLetsMaxWin() {
        assertValues(doubles(-1, 0.5, 3, NAN).clamp(0, 1), 0, 0.5, 1, NAN);
        assertValues(doubles(0, 5).clamp(3, 1), 1, 1);
        assertValues(doubles(-1, 5).clamp(doubles(0, NAN), null), 0, NAN);
        assertValues(slope(x -> x.clamp(0, 1), -1, 0, 0.5, 1, 2), 0, 0, 1, 0, 0);
        assertEquals(DType.FLOAT32, longs(1).clamp(0.5, null).dtype());
        assertRefused(
                "clamp: at least one of min and max is needed, got neither", () -> longs(1).clamp((Number) null, null));
    }

    @Test
    void choices() {
        Tensor x = doubles(1, 2);
        Tensor mask = bools(true, false);
        assertValues(x.where(mask, doubles(5)), 1, 5);
        assertValues(x.where(mask, 0), 1, 0);
        assertValues(x.maskedFill(mask, 9), 9, 2);
        assertValues(x.maskedFill(mask, machine.scalar(9)), 9, 2);
        assertRefused(
                "masked_fill: the mask must be bool, got float64; cast with to(DType.BOOL)", () -> x.maskedFill(x, 1));
        assertRefused("masked_fill: the value must have no dimensions, got [2]", () -> x.maskedFill(mask, x));
        assertRefused("where: the condition must be bool, got float64; cast with to(DType.BOOL)", () -> x.where(x, x));
        assertValues(doubles(-1, 0, 2, NAN).heaviside(doubles(0.5)), 0, 0.5, 1, 0);
        assertValues(doubles(NAN, INF, -INF, 1).nanToNum(7, 8, null), 7, 8, -Double.MAX_VALUE, 1);
    }

    @Test
    void compositions() {
        assertValues(doubles(0, 10).lerp(doubles(10, 20), 0.25), 2.5, 12.5);
        assertValues(doubles(0, 10).lerp(doubles(10, 20), doubles(0.25, 0.75)), 2.5, 17.5);
        assertValues(doubles(1).addcmul(doubles(2), doubles(3), 0.5), 4);
        assertValues(doubles(1).addcdiv(doubles(6), doubles(3), 0.5), 2);
        assertValues(doubles(1, INF, -INF, 1000).logaddexp(doubles(1, INF, -INF, 0)), 1 + Math.log(2), INF, -INF, 1000);
        assertValues(doubles(3).logaddexp2(doubles(3)), 4);
        assertValues(doubles(0, 0, 2).xlogy(doubles(0, NAN, Math.E)), 0, NAN, 2);
        assertValues(doubles(0, 2).xlogy(0), 0, -INF);
        assertValues(doubles(1, 3).ldexp(longs(3, -1)), 8, 1.5);
        assertValues(doubles(3).hypot(doubles(4)), 5);
        assertValues(doubles(1).copysign(-0.0), -1);
        assertRefused(
                "lerp: dtypes differ, got float64 and float32; cast the float32 one with to(DType.FLOAT64)",
                () -> doubles(1).lerp(floats(1), 0.5));
        assertRefused(
                "addcdiv: one of the two must be floating, got int64[1] and int64[1]",
                () -> longs(1).addcdiv(longs(1), longs(1)));
    }

    @Test
    void gradientsAtEdgesAreFinite() {
        assertValues(slope(Tensor::sinc, 0), 0);
        assertValues(slope(x -> x.logaddexp(doubles(1)), 1), 0.5);
        assertValues(slope(x -> x.logaddexp(doubles(-INF)), 1), 1);
        assertValues(slope(x -> x.xlogy(doubles(0)), 0), 0);
    }

    @Test
    void castsTruncateAndWrap() {
        Tensor x = doubles(-1.5, 2.5, 257);
        assertSame(x, x.float64());
        assertValues(x.int64(), -1, 2, 257);
        assertValues(longs(-1, 257).uint8(), 255, 1);
        assertTruth(doubles(0, 0.5, NAN).bool(), false, true, true);
    }

    @Test
    void shapesMustBroadcast() {
        assertRefused(
                "add: shapes do not broadcast, got [2] and [3]",
                () -> doubles(1, 2).add(doubles(1, 2, 3)));
    }
}
