package dev.outpost.runtime.session;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * Random computations that can be recorded in float32 and in float64 with the same numbers. Every op is continuous, and values do not keep
 * growing: products and sums pass through a bounded curve.
 */
final class FloatProgram {
    private static final int ROWS = 6;
    private static final int COLUMNS = 8;
    private static final Shape MATRIX = Shape.of(ROWS, COLUMNS);
    private static final Shape COLUMN = Shape.of(ROWS, 1);
    private static final List<Unary> CURVES = List.of(Unary.TANH, Unary.SIGMOID, Unary.ERF, Unary.SIN, Unary.ATAN);
    private static final List<Unary> GENTLE = List.of(Unary.NEG, Unary.ABS, Unary.RELU, Unary.COPY);
    private static final List<Binary> BINARIES =
            List.of(Binary.ADD, Binary.SUB, Binary.MUL, Binary.MAXIMUM, Binary.MINIMUM);

    /** A step of the program: an op on earlier values or numbers. */
    private record Step(Op op, Shape shape, List<Object> operands) {}

    private final Random random;
    private final List<double[]> literals = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    private FloatProgram(long seed) {
        random = new Random(seed);
    }

    static FloatProgram of(long seed, int steps) {
        FloatProgram program = new FloatProgram(seed);
        for (int literal = 0; literal < 3; literal++) {
            program.literal();
        }
        while (program.steps.size() < steps) {
            program.step();
        }
        return program;
    }

    /** The number of values; the last ones are the results. */
    int values() {
        return steps.size();
    }

    /** Records the program in a dtype. All values except the last ones are dropped. */
    SegmentBuilder record(DType dtype, int kept) {
        return new Recording(dtype, DoubleUnaryOperator.identity(), false).of(kept);
    }

    /**
     * Records the program in float64, with numbers that differ in the last bit of a float32 or not at all. Numbers beside the tensors are
     * changed too, because after a {@code relu} of negative numbers all later values depend on them alone.
     */
    SegmentBuilder recordNearby(int kept, long seed) {
        return new Recording(DType.FLOAT64, nudged(seed), false).of(kept);
    }

    /** Records the program as {@link #recordNearby} does, but in float32, with the errors of float32 in sums. */
    SegmentBuilder recordRounded(int kept, long seed) {
        return new Recording(DType.FLOAT32, nudged(seed), true).of(kept);
    }

    /** All numbers are float32. */
    private static DoubleUnaryOperator nudged(long seed) {
        Random nudges = new Random(seed);
        return number -> nudges.nextBoolean() ? number : Math.nextUp((float) number);
    }

    /**
     * One recording of the program.
     *
     * @param nearby replaces each number
     */
    private final class Recording {
        private final DType dtype;
        private final DoubleUnaryOperator nearby;
        private final boolean isTermByTerm;
        private final SegmentBuilder segments = new SegmentBuilder();
        private final TermByTerm terms = new TermByTerm(segments, steps.size() + 1L);

        Recording(DType dtype, DoubleUnaryOperator nearby, boolean isTermByTerm) {
            this.dtype = dtype;
            this.nearby = nearby;
            this.isTermByTerm = isTermByTerm;
        }

        SegmentBuilder of(int kept) {
            int literal = 0;
            for (int value = 0; value < steps.size(); value++) {
                Step step = steps.get(value);
                if (step.op == null) {
                    literal(value, literals.get(literal++));
                } else {
                    compute(value, step);
                }
            }
            for (int value = 0; value < steps.size() - kept; value++) {
                segments.drop(id(value));
            }
            return segments;
        }

        private void literal(int value, double[] numbers) {
            double[] used = Arrays.stream(numbers).map(nearby).toArray();
            segments.add(new Literal(new TensorType(dtype, MATRIX), bytes(dtype, used)), id(value));
        }

        private void compute(int value, Step step) {
            if (isTermByTerm && step.op instanceof Reduce) {
                terms.sum(id(value), id(step, 0), shape(step, 0));
            } else if (isTermByTerm && step.op instanceof Matmul) {
                terms.product(id(value), id(step, 0), shape(step, 0), id(step, 1), shape(step, 1));
            } else {
                List<Object> operands =
                        step.operands.stream().map(this::operand).toList();
                segments.add(step.op, id(value), operands);
            }
        }

        private Object operand(Object operand) {
            return operand instanceof Double number
                    ? Scalar.of(dtype, nearby.applyAsDouble(number))
                    : (Object) id((Integer) operand);
        }

        private long id(Step step, int operand) {
            return id((Integer) step.operands.get(operand));
        }

        private Shape shape(Step step, int operand) {
            return steps.get((Integer) step.operands.get(operand)).shape;
        }

        private static long id(int value) {
            return value + 1L;
        }
    }

    private static byte[] bytes(DType dtype, double[] elements) {
        ByteBuffer out = ByteBuffer.allocate(elements.length * dtype.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (double element : elements) {
            if (dtype == DType.FLOAT32) {
                out.putFloat((float) element);
            } else {
                out.putDouble(element);
            }
        }
        return out.array();
    }

    private void literal() {
        double[] elements = new double[ROWS * COLUMNS];
        for (int index = 0; index < elements.length; index++) {
            elements[index] = (float) random.nextGaussian();
        }
        literals.add(elements);
        steps.add(new Step(null, MATRIX, List.of()));
    }

    private void step() {
        int value = any(MATRIX);
        switch (random.nextInt(10)) {
            case 0 -> add(any(GENTLE), MATRIX, value);
            case 1 -> add(any(BINARIES), MATRIX, value, (double) random.nextInt(-3, 4) / 4);
            case 2, 3 -> bounded(add(any(BINARIES), MATRIX, value, any(MATRIX)));
            case 4 -> bounded(add(Binary.MUL, MATRIX, value, column(value)));
            case 5 -> bounded(random.nextBoolean() ? product(value) : batch(value));
            case 6 -> add(new StridedWrite(Layout.contiguous(MATRIX).slice(0, 1, 2, 2)), MATRIX, value, rows(value));
            case 7 -> again();
            default -> add(any(CURVES), MATRIX, value);
        }
    }

    private int bounded(int value) {
        return add(any(CURVES), steps.get(value).shape, value);
    }

    private int column(int value) {
        return bounded(add(new Reduce(Reduce.Fn.SUM, Axes.of(1), true), COLUMN, value));
    }

    private int rows(int value) {
        return add(new AsStrided(Layout.contiguous(MATRIX).slice(0, 2, 2, 1)), Shape.of(2, COLUMNS), value);
    }

    /** {@code x · yᵀ · z} of three matrices. */
    private int product(int value) {
        Layout turned = Layout.contiguous(MATRIX).transpose(0, 1);
        int right = add(new AsStrided(turned), turned.shape(), any(MATRIX));
        int square = bounded(add(new Matmul(), Shape.of(ROWS, ROWS), value, right));
        return add(new Matmul(), MATRIX, square, any(MATRIX));
    }

    /** The product of three matrices, as batches of one. */
    private int batch(int value) {
        Layout whole = Layout.of(Shape.of(1, ROWS, COLUMNS), new long[] {ROWS * COLUMNS, COLUMNS, 1}, 0);
        int left = add(new AsStrided(whole), whole.shape(), value);
        Layout turned = whole.transpose(1, 2);
        int right = add(new AsStrided(turned), turned.shape(), any(MATRIX));
        int square = bounded(add(new Matmul(), Shape.of(1, ROWS, ROWS), left, right));
        int last = add(new AsStrided(whole), whole.shape(), any(MATRIX));
        int joined = add(new Matmul(), Shape.of(1, ROWS, COLUMNS), square, last);
        return add(new AsStrided(Layout.contiguous(MATRIX)), MATRIX, joined);
    }

    private void again() {
        Step before = steps.get(random.nextInt(steps.size()));
        if (before.op != null) {
            steps.add(before);
        }
    }

    private <T> T any(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    /** Draws a value; recent values are drawn more often. */
    private int any(Shape shape) {
        int value = steps.size() - 1;
        while (!steps.get(value).shape.equals(shape) || value > 0 && random.nextInt(3) > 0) {
            value = value == 0 ? steps.size() - 1 : value - 1;
        }
        return value;
    }

    private int add(Op op, Shape shape, Object... operands) {
        steps.add(new Step(op, shape, List.of(operands)));
        return steps.size() - 1;
    }
}
