package dev.outpost.system.ops;

import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ActivationOpsTest extends OpsOnAMachine {
    private static Arguments activation(String name, UnaryOperator<Tensor> op, DoubleUnaryOperator expected) {
        return Arguments.of(name, op, expected);
    }

    private static double clamp(double x, double min, double max) {
        return Math.min(Math.max(x, min), max);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static double softplus(double x) {
        return Math.log1p(Math.exp(x));
    }

    private static double geluTanh(double x) {
        return x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
    }

    private static double silu(double x) {
        return x * sigmoid(x);
    }

    static Stream<Arguments> activations() {
        return Stream.of(
                activation("relu", Tensor::relu, x -> Math.max(x, 0)),
                activation("relu6", x -> x.mul(3).relu6(), x -> clamp(3 * x, 0, 6)),
                activation("leakyRelu", Tensor::leakyRelu, x -> x > 0 ? x : 0.01 * x),
                activation("prelu", x -> x.prelu(doubles(0.3)), x -> x > 0 ? x : 0.3 * x),
                activation("hardtanh", Tensor::hardtanh, x -> clamp(x, -1, 1)),
                activation("hardsigmoid", Tensor::hardsigmoid, x -> clamp(x + 3, 0, 6) / 6),
                activation("hardswish", Tensor::hardswish, x -> x * clamp(x + 3, 0, 6) / 6),
                activation("hardshrink", x -> x.hardshrink(0.5), x -> Math.abs(x) <= 0.5 ? 0 : x),
                activation("softshrink", x -> x.softshrink(0.5), x -> x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0),
                activation("threshold", x -> x.threshold(1, -7), x -> x > 1 ? x : -7),
                activation("elu", x -> x.elu(2), x -> x > 0 ? x : 2 * Math.expm1(x)),
                activation("celu", x -> x.celu(2), x -> x > 0 ? x : 2 * Math.expm1(x / 2)),
                activation(
                        "selu",
                        Tensor::selu,
                        x -> 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x))),
                activation("geluTanh", Tensor::geluTanh, ActivationOpsTest::geluTanh),
                activation("silu", Tensor::silu, ActivationOpsTest::silu),
                activation("mish", Tensor::mish, x -> x * Math.tanh(softplus(x))),
                activation("softplus", x -> x.softplus(2, 20), x -> softplus(2 * x) / 2),
                activation("logsigmoid", Tensor::logsigmoid, x -> Math.log(sigmoid(x))),
                activation("softsign", Tensor::softsign, x -> x / (1 + Math.abs(x))),
                activation("tanhshrink", Tensor::tanhshrink, x -> x - Math.tanh(x)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("activations")
    void anActivationAndItsSlope(String name, UnaryOperator<Tensor> op, DoubleUnaryOperator expected) {
        double[] x = {-3.5, -1.25, -0.25, 0.25, 0.75, 1.25, 3.5};
        assertValues(op.apply(doubles(x)), DoubleStream.of(x).map(expected).toArray());
        double[] slopes = DoubleStream.of(x).map(at -> difference(expected, at)).toArray();
        assertValues(slope(op, x).float32(), slopes);
    }

    private static double difference(DoubleUnaryOperator function, double at) {
        double step = 1e-5;
        return (function.applyAsDouble(at + step) - function.applyAsDouble(at - step)) / (2 * step);
    }

    /** The closed form, with the standard normal distribution. */
    @Test
    void geluIsExact() {
        double[] x = {-2, -1, -0.5, 0, 1};
        double[] distribution = {0.022750131948179212, 0.15865525393145707, 0.3085375387259869, 0.5, 0.8413447460685429
        };
        double[] density = DoubleStream.of(x)
                .map(at -> Math.exp(-at * at / 2) / Math.sqrt(2 * Math.PI))
                .toArray();
        assertValues(doubles(x).gelu(), each(x, index -> x[index] * distribution[index]));
        assertValues(slope(Tensor::gelu, x), each(x, index -> distribution[index] + x[index] * density[index]));
        assertValues(bend(Tensor::gelu, x), each(x, index -> (2 - x[index] * x[index]) * density[index]));
    }

    private static double[] each(double[] x, IntToDoubleFunction function) {
        return IntStream.range(0, x.length).mapToDouble(function).toArray();
    }

    /** Functions with a custom derivative can still be differentiated again. */
    @Test
    void slopesOfTheirOwnCanBeDifferentiated() {
        double[] x = {-3.5, -0.25, 0, 1.25};
        assertBends(Tensor::silu, ActivationOpsTest::silu, x);
        assertBends(Tensor::geluTanh, ActivationOpsTest::geluTanh, x);
        assertBends(Tensor::logsigmoid, at -> Math.log(sigmoid(at)), x);
        assertBends(Tensor::mish, at -> at * Math.tanh(softplus(at)), x);
        assertValues(bend(Tensor::hardswish, x), 0, 1 / 3.0, 1 / 3.0, 1 / 3.0);
        assertValues(bend(t -> t.var(0), 3, 5), 0, 0);
        assertValues(bend(Tensor::norm, 3, 4), 0.032, -0.024);
    }

    private static void assertBends(UnaryOperator<Tensor> op, DoubleUnaryOperator function, double... x) {
        assertValues(
                bend(op, x).float32(),
                DoubleStream.of(x).map(at -> secondDifference(function, at)).toArray());
    }

    private static double secondDifference(DoubleUnaryOperator function, double at) {
        double step = 1e-4;
        return (function.applyAsDouble(at + step) - 2 * function.applyAsDouble(at) + function.applyAsDouble(at - step))
                / (step * step);
    }

    /** The second derivative. */
    private static Tensor bend(UnaryOperator<Tensor> op, double... x) {
        Tensor input = doubles(x).requiresGrad(true);
        Tensor slope = Autograd.grad(op.apply(input).sum(), List.of(input), null, true, true)
                .getFirst();
        return Autograd.grad(slope.sum(), List.of(input)).getFirst();
    }

    @Test
    @Tag("quick")
    void farFromZeroNothingOverflows() {
        assertValues(doubles(-1000, 1000).softplus(), 0, 1000);
        assertValues(slope(Tensor::softplus, -1000, 1000), 0, 1);
        assertValues(doubles(-1000, 0, 1000).logsigmoid(), -1000, -Math.log(2), 0);
        assertValues(slope(Tensor::logsigmoid, -1000, 0, 1000), 1, 0.5, 0);
        assertValues(slope(Tensor::elu, -1000, 1000), 0, 1);
        assertValues(slope(x -> x.celu(0.5), -1000, 1000), 0, 1);
        assertValues(slope(Tensor::silu, -1000, 0, 1000), 0, 0.5, 1);
        assertValues(slope(Tensor::mish, -1000, 1000), 0, 1);
    }

    @Test
    void slopesAtKinksArePyTorchs() {
        assertValues(slope(Tensor::relu, 0), 0);
        assertValues(slope(Tensor::relu6, 0, 6), 0, 0);
        assertValues(slope(Tensor::hardtanh, -1, 1), 0, 0);
        assertValues(slope(x -> x.leakyRelu(0.1), 0), 0.1);
        assertValues(slope(Tensor::elu, 0), 1);
    }

    @Test
    void nanStaysNaN() {
        Tensor nan = doubles(NAN);
        assertValues(nan.relu(), NAN);
        assertValues(nan.hardtanh(), NAN);
        assertValues(nan.leakyRelu(), NAN);
        assertValues(nan.elu(), NAN);
        assertValues(nan.softplus(), NAN);
        assertValues(nan.hardshrink(0.5), NAN);
        assertValues(nan.softshrink(0.5), NAN);
    }

    @Test
    void softmaxAndItsLogarithm() {
        Tensor x = doubles(0, Math.log(3), 1000, 1000).reshape(2, 2);
        assertValues(x.softmax(1), 0.25, 0.75, 0.5, 0.5);
        assertValues(x.softmin(-1), 0.75, 0.25, 0.5, 0.5);
        assertValues(x.logSoftmax(1), Math.log(0.25), Math.log(0.75), -Math.log(2), -Math.log(2));
        assertValues(doubles(-INF, 0).softmax(0), 0, 1);
        assertValues(doubles(-INF, -INF).softmax(0), NAN, NAN);
        assertValues(slope(y -> y.softmax(0).mul(doubles(1, 0)), 0, Math.log(3)), 0.1875, -0.1875);
        assertValues(machine.scalar(7.0).softmax(0), 1);
        assertIs(DType.FLOAT64, Shape.of(2), floats(1, 2).softmax(0, DType.FLOAT64));
        assertIs(DType.FLOAT16, Shape.of(2), floats(1, 2).float16().softmax(0));
        assertIs(DType.FLOAT32, Shape.of(3, 0), machine.zeros(3, 0).softmax(1));
    }

    @Test
    void gatesAndChannels() {
        assertValues(doubles(2, 4, 0, Math.log(3)).glu(), 1, 3);
        assertRefused(
                "glu: dimension 0 must be even, got [3]", () -> doubles(1, 2, 3).glu());
        Tensor x = doubles(-1, -1, -1, -1).reshape(1, 2, 2);
        assertValues(x.prelu(doubles(0.1, 0.2)), -0.1, -0.1, -0.2, -0.2);
        assertRefused(
                "prelu: one weight or one for each channel is needed, got [3] and [1, 2, 2]",
                () -> x.prelu(doubles(1, 2, 3)));
        assertRefused(
                "softshrink: lambda must not be negative, got -0.5",
                () -> doubles(1).softshrink(-0.5));
    }
}
