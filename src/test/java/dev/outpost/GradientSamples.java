package dev.outpost;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Slide;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.math.LabelledFunctions;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/** Operands at which every differentiable op is smooth, so that finite differences approximate its gradient. */
final class GradientSamples {
    private static final double[] REALS = {-1.7, -0.6, 0.3, 1.4, 2.2, -2.6};
    private static final double[] POSITIVE = {0.4, 1.3, 2.2, 3.7, 0.9, 1.6};
    private static final double[] WITHIN_ONE = {-0.7, -0.2, 0.3, 0.8, 0.55, -0.45};
    private static final double[] SHARES = {0.2, 0.35, 0.6, 0.9, 0.15, 0.7};
    private static final double[] ABOVE_ONE = {1.2, 1.9, 2.7, 3.4, 1.5, 2.2};

    private GradientSamples() {}

    /** The operand of an op: float64 to be varied, or a selector, or a number. */
    sealed interface Input {
        record Varied(HostTensor values) implements Input {}

        /** A varied matrix; the op gets half of the sum of it and its transpose. */
        record Symmetric(HostTensor values) implements Input {}

        record Fixed(HostTensor values) implements Input {}

        record Constant(double value) implements Input {}
    }

    /**
     * One application of an op.
     *
     * @param op the op
     * @param inputs its operands
     */
    record Sample(Op op, List<Input> inputs) {
        @Override
        public String toString() {
            return op.label() + " " + op + " " + inputs;
        }
    }

    static List<Sample> all() {
        List<Sample> samples = new ArrayList<>();
        for (Unary op : Unary.values()) {
            unary(op).forEach(samples::add);
        }
        for (Binary op : Binary.values()) {
            binary(op).forEach(samples::add);
        }
        for (Ternary op : Ternary.values()) {
            samples.addAll(ternary(op));
        }
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            folds(fn).forEach(samples::add);
        }
        for (Scatter.Fn fn : Scatter.Fn.values()) {
            writes(fn).forEach(samples::add);
        }
        movements().forEach(samples::add);
        windows().forEach(samples::add);
        attention().forEach(samples::add);
        factorizations().forEach(samples::add);
        products().forEach(samples::add);
        return samples;
    }

    private static Stream<Sample> unary(Unary op) {
        double[] values = op.isFloatingOnly() ? within(LabelledFunctions.of(op)) : REALS;
        boolean isDifferentiable = op != Unary.IS_NAN && op != Unary.NOT;
        return isDifferentiable ? Stream.of(sample(op, varied(values, 2, 3))) : Stream.of();
    }

    /** The first list of numbers that are all in a function's domain. */
    private static double[] within(DoubleUnaryOperator function) {
        return Stream.of(REALS, WITHIN_ONE, POSITIVE, ABOVE_ONE, SHARES)
                .filter(values -> Arrays.stream(values).map(function).allMatch(Double::isFinite))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Sample> binary(Binary op) {
        return switch (op) {
            case ADD, SUB, MUL, DIV, TRUNC_DIV, FLOOR_DIV, REMAINDER, FMOD -> binary(op, REALS);
            case ATAN2, MAXIMUM, MINIMUM, HYPOT -> binary(op, REALS);
            case COPYSIGN -> Stream.concat(binary(op, REALS), binary(op, POSITIVE));
            case POW -> Stream.concat(binary(op, POSITIVE), Stream.of(sample(op, varied(REALS, 6), constant(2))));
            case POLYGAMMA -> Stream.of(sample(op, constant(1), varied(POSITIVE, 2, 3)));
            case ZETA -> Stream.of(sample(op, constant(2.5), varied(POSITIVE, 2, 3)));
            case IGAMMA, IGAMMAC ->
                Stream.of(sample(op, new Input.Fixed(HostTensor.of(POSITIVE, 2, 3)), varied(ABOVE_ONE, 2, 3)));
            case CHEBYSHEV_T, CHEBYSHEV_U, CHEBYSHEV_V, CHEBYSHEV_W, HERMITE_H, HERMITE_HE, LAGUERRE_L, LEGENDRE_P ->
                Stream.of(sample(op, new Input.Fixed(HostTensor.of(WITHIN_ONE, 2, 3)), varied(POSITIVE, 2, 3)));
            case NEXTAFTER, EQ, NE, LT, LE, GT, GE, AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT, GCD -> Stream.of();
        };
    }

    private static Stream<Sample> binary(Binary op, double[] left) {
        Input matrix = varied(left, 2, 3);
        Input column = varied(new double[] {0.83, -1.15}, 2, 1);
        Input vector = varied(new double[] {0.83, 1.75, -0.95}, 3);
        Input scalar = varied(new double[] {1.25});
        return Stream.of(
                sample(op, matrix, vector),
                sample(op, matrix, column),
                sample(op, varied(POSITIVE, 2, 3), matrix),
                sample(op, matrix, scalar),
                sample(op, matrix, constant(1.25)),
                sample(op, constant(1.25), matrix));
    }

    private static List<Sample> ternary(Ternary op) {
        return switch (op) {
            case WHERE -> {
                Input condition = new Input.Fixed(HostTensor.of(new boolean[] {true, false, true}, 3));
                Input row = varied(new double[] {0.1, 0.2, 0.3}, 1, 3);
                yield List.of(
                        sample(op, condition, varied(REALS, 2, 3), row),
                        sample(op, condition, constant(2), varied(REALS, 2, 3)),
                        sample(op, condition, varied(REALS, 2, 3), constant(2)));
            }
        };
    }

    private static Stream<Sample> folds(Reduce.Fn fn) {
        Input x = varied(REALS, 2, 3);
        return Stream.of(
                sample(new Reduce(fn, Axes.of(1), false), x),
                sample(new Reduce(fn, Axes.of(0), true), x),
                sample(new Reduce(fn, Axes.of(0, 1), false), x),
                sample(new Reduce(fn, Axes.of(), false), x),
                sample(new Cumulative(fn, 0), x),
                sample(new Cumulative(fn, 1), x));
    }

    private static Stream<Sample> writes(Scatter.Fn fn) {
        Input base = varied(REALS, 2, 3);
        Input distinct = index(new long[] {2, 0, 1, 2}, 2, 2);
        Input repeated = index(new long[] {2, 2, 1, 1}, 2, 2);
        Input index = fn == Scatter.Fn.SET ? distinct : repeated;
        Input larger = varied(new double[] {0.7, -1.2, 5.1, 1.9, -0.4, 6.3}, 2, 3);
        Input line = index(fn == Scatter.Fn.SET ? new long[] {2, 0} : new long[] {2, 2}, 2);
        Input slices = varied(new double[] {0.7, -1.2, 1.9, -0.4}, 2, 2);
        return Stream.of(
                sample(new Scatter(fn, 1), base, index, slices),
                sample(new Scatter(fn, 1), base, index, larger),
                sample(new IndexWrite(fn, 1), base, line, slices));
    }

    /** With no 0 among the factors, with one, and with two: a quotient by a factor has no derivative there. */
    private static Stream<Sample> products() {
        Reduce.Fn fn = Reduce.Fn.PROD;
        Scatter.Fn write = Scatter.Fn.MUL;
        Input x = varied(new double[] {0.5, 0, -1.5, 2, 0, 0, 0.7, 3, 1.2, -0.4, -2, 0.8}, 3, 4);
        Input row = varied(new double[] {1.5, 0, -0.5, 2}, 4);
        Input base = varied(new double[] {0, 1.4, 0.6}, 3);
        Input index = index(new long[] {1, 0, 1, 1, 2, 2, 0}, 7);
        Input sources = varied(new double[] {0.5, 0, 0, 1.2, 0, 0, 2.5}, 7);
        return Stream.of(
                sample(new Reduce(fn, Axes.of(1), false), x),
                sample(new Reduce(fn, Axes.of(0), true), x),
                sample(new Reduce(fn, Axes.of(0), false), row),
                sample(new Reduce(fn, Axes.of(), false), varied(new double[] {0})),
                sample(new Cumulative(fn, 0), x),
                sample(new Cumulative(fn, 1), x),
                sample(new Scatter(write, 0), base, index, sources),
                sample(new IndexWrite(write, 0), base, index, sources));
    }

    private static Stream<Sample> movements() {
        Input x = varied(REALS, 2, 3);
        Input product = varied(new double[] {0.5, -0.3, 0.8, 1.1, -0.9, 0.2}, 1, 3, 2);
        Input matrix = varied(new double[] {0.5, -0.3, 0.8, 1.1, -0.9, 0.2}, 3, 2);
        Layout column = Layout.of(Shape.of(2), new long[] {3}, 1);
        return Stream.of(
                sample(new Cast(DType.FLOAT64), x),
                sample(new Matmul(), varied(REALS, 1, 2, 3), product),
                sample(new Matmul(), x, matrix),
                sample(new StridedWrite(column), x, varied(new double[] {0.4, -0.6}, 2)),
                sample(new Gather(0), x, index(new long[] {1, 1, 0}, 1, 3)),
                sample(new Gather(1), x, index(new long[] {2, 2, 0, 1}, 2, 2)),
                sample(new IndexSelect(1), x, index(new long[] {2, 0, 2}, 3)),
                sample(new Sort(1, false), x),
                sample(new Sort(0, true), x),
                sample(new Concat(1), x, varied(new double[] {0.4, -0.6}, 2, 1), x));
    }

    private static Stream<Sample> windows() {
        Convolution op = Convolution.forward(new Slide(2, 1, 1), new Slide(1, 1, 2), 2);
        Input input = spread(1, 2, 2, 4, 3);
        Input weight = spread(2, 4, 1, 2, 2);
        Input output = spread(3, 2, 4, 3, 3);
        Slide overlapping = new Slide(1, 0, 1);
        return Stream.of(
                sample(op, input, weight),
                sample(op.to(Convolution.Fn.INPUT, Shape.of(2, 2, 4, 3)), weight, output),
                sample(op.to(Convolution.Fn.WEIGHT, Shape.of(4, 1, 2, 2)), input, output),
                sample(new MaxPool(Shape.of(2, 2), overlapping, new Slide(2, 1, 1), true), spread(1, 2, 3, 3)));
    }

    /** Two heads share a group, and more keys than queries or fewer. */
    private static Stream<Sample> attention() {
        Input query = spread(1, 1, 2, 3, 2);
        Input key = spread(2, 1, 1, 2, 2);
        Input value = spread(3, 1, 1, 2, 3);
        Input output = spread(4, 1, 2, 3, 3);
        Input rows = spread(5, 1, 2, 3);
        Input added = spread(6, 1, 2, 3, 2);
        boolean[] isSeen = {true, false, true, true, false, true, true, true, true, false, true, true};
        Input seen = new Input.Fixed(HostTensor.of(isSeen, 1, 2, 3, 2));
        return Stream.of(
                sample(new Attention(false, 0.7), query, key, value),
                sample(new Attention(true, 0.7), query, key, value, seen),
                sample(new Attention(true, 1.3), query, key, value, added),
                sample(new AttentionGradient(false, 0.7), query, key, value, output, rows, rows),
                sample(new AttentionGradient(true, 0.7), query, key, value, output, rows, rows, seen),
                sample(new AttentionGradient(true, 1.3), query, key, value, output, rows, rows, added),
                sample(new Attention(false, 0.7), query, key, value, spread(7, 1, 1, 3, 1)),
                sample(
                        new AttentionGradient(false, 0.7),
                        query,
                        key,
                        value,
                        output,
                        rows,
                        rows,
                        spread(7, 1, 1, 1, 2)));
    }

    /** Matrices with large diagonals, with fewer, as many and more rows than columns. */
    private static Stream<Sample> factorizations() {
        return Stream.of(
                sample(new Cholesky(true), new Input.Symmetric(heavy(1, 2, 3, 3))),
                sample(new LuFactor(true), new Input.Varied(heavy(1, 2, 3, 3))),
                sample(new LuFactor(false), spread(2, 2, 4)),
                sample(new LuFactor(false), spread(3, 4, 2)),
                sample(new TriangularSolve(false, false), new Input.Varied(heavy(1, 2, 3, 3)), spread(2, 2, 3, 2)),
                sample(new TriangularSolve(true, true), new Input.Varied(heavy(2, 3, 3)), spread(3, 3, 1)),
                sample(new Qr(Qr.Form.REDUCED), spread(1, 2, 4, 2)),
                sample(new Qr(Qr.Form.REDUCED), spread(2, 2, 4)),
                sample(new Qr(Qr.Form.COMPLETE), new Input.Varied(heavy(3, 3, 3))),
                sample(new Eigh(true), new Input.Symmetric(heavy(1, 2, 3, 3))),
                sample(new Eig(true), new Input.Varied(distinctEigenvalues())),
                sample(new Svd(Svd.Form.REDUCED), new Input.Varied(heavy(1, 2, 3, 3))),
                sample(new Svd(Svd.Form.REDUCED), spread(2, 2, 4)),
                sample(new Svd(Svd.Form.REDUCED), spread(3, 4, 2)));
    }

    /** Eigenvalues are real and far apart, so that vectors are real as well. */
    private static HostTensor distinctEigenvalues() {
        return HostTensor.of(new double[] {1, 0.3, -0.4, 0.2, 3, 0.5, -0.3, 0.6, 6}, 3, 3);
    }

    private static HostTensor heavy(int salt, long... shape) {
        double[] values = spread(salt, shape).values().toDoubleArray();
        int side = (int) shape[shape.length - 1];
        for (int element = 0;
                element < values.length;
                element += element % (side * side) == side * side - 1 ? 1 : side + 1) {
            values[element] = 3.5 + element / 10.0;
        }
        return HostTensor.of(values, shape);
    }

    /** Elements that are not close to each other. */
    private static Input.Varied spread(int salt, long... shape) {
        double[] values = new double[(int) Shape.of(shape).elements()];
        Arrays.setAll(values, index -> (index * 37 % 101 + salt) / 40.0 - 1.3);
        return new Input.Varied(HostTensor.of(values, shape));
    }

    private static Sample sample(Op op, Input... inputs) {
        return new Sample(op, List.of(inputs));
    }

    private static Input varied(double[] values, long... shape) {
        int elements = (int) Shape.of(shape).elements();
        return new Input.Varied(HostTensor.of(Arrays.copyOf(values, elements), shape));
    }

    private static Input index(long[] values, long... shape) {
        return new Input.Fixed(HostTensor.of(values, shape));
    }

    private static Input constant(double value) {
        return new Input.Constant(value);
    }
}
