package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Attention and its gradient: masks, grouped heads, and more or fewer queries than keys. */
public final class AttentionCases {
    /** The largest absolute value of an ordinary sample, and of a score. */
    private static final double LARGEST = 4;

    private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);

    /**
     * The dimensions of the operands.
     *
     * @param shared heads of a group
     */
    private record Sizes(long batch, long groups, long shared, long queries, long keys, long features, long values) {
        long heads() {
            return groups * shared;
        }

        /** The factor that keeps scores at most {@link #LARGEST}. */
        double scale() {
            return 1 / (LARGEST * features);
        }

        /** Rounding steps of a weight: the terms of a score, which the exponential makes larger, and its own. */
        private double roundings() {
            return LARGEST * features + 20;
        }

        Shape query() {
            return Shape.of(batch, heads(), queries, features);
        }

        Shape mask() {
            return Shape.of(batch, heads(), queries, keys);
        }

        Shape rows() {
            return Shape.of(batch, heads(), queries);
        }
    }

    private AttentionCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : FLOATS) {
            all(consumer, dtype, new Sizes(2, 2, 3, 5, 7, 8, 4));
            all(consumer, dtype, new Sizes(1, 2, 1, 9, 3, 3, 5));
        }
        for (DType dtype : List.of(DType.FLOAT32, DType.BFLOAT16)) {
            // More than a tile of everything, and a single query.
            all(consumer, dtype, new Sizes(1, 1, 2, 70, 133, 64, 64));
            all(consumer, dtype, new Sizes(2, 2, 2, 1, 90, 128, 128));
            all(consumer, dtype, new Sizes(0, 2, 2, 3, 4, 2, 2));
        }
        all(consumer, DType.FLOAT16, new Sizes(1, 2, 1, 17, 65, 128, 128));
        all(consumer, DType.FLOAT16, new Sizes(1, 1, 2, 33, 20, 64, 64));
        all(consumer, DType.FLOAT64, new Sizes(1, 1, 1, 65, 40, 20, 70));
        all(consumer, DType.FLOAT32, new Sizes(1, 1, 1, 3, 5, 130, 200));
    }

    private static void all(Consumer<Case> consumer, DType dtype, Sizes sizes) {
        for (boolean causal : new boolean[] {false, true}) {
            Stream.of(
                            List.<TestOperand>of(),
                            List.of(booleans(sizes)),
                            List.of(padding(sizes)),
                            List.of(numbers(dtype, sizes)))
                    .forEach(mask -> {
                        consumer.accept(forward(dtype, sizes, causal, mask));
                        consumer.accept(gradient(dtype, sizes, causal, mask));
                    });
        }
    }

    private static Case forward(DType dtype, Sizes sizes, boolean causal, List<TestOperand> mask) {
        Attention op = new Attention(causal, sizes.scale());
        double length = 2 * (sizes.roundings() + sizes.keys) + ofRoundedWeights(dtype);
        return Case.accumulating((long) length, LARGEST, op, with(mask, inputs(dtype, sizes)));
    }

    /** Weights may be rounded to 16 bits before they are multiplied: half a unit, in units of float32. */
    public static double ofRoundedWeights(DType dtype) {
        return switch (dtype) {
            case BFLOAT16 -> 1 << 15;
            case FLOAT16 -> 1 << 12;
            default -> 0;
        };
    }

    private static Case gradient(DType dtype, Sizes sizes, boolean causal, List<TestOperand> mask) {
        AttentionGradient op = new AttentionGradient(causal, sizes.scale());
        DType sums = Attention.accumulator(dtype);
        TestOperand gradient = turned(dtype, Shape.of(sizes.batch, sizes.heads(), sizes.queries, sizes.values), 3);
        TestOperand[] operands = Stream.concat(
                        Stream.of(inputs(dtype, sizes)),
                        Stream.of(gradient, logarithms(sums, sizes), sums(sums, sizes)))
                .toArray(TestOperand[]::new);
        long terms = Math.max(sizes.keys, sizes.shared * sizes.queries);
        double slope = LARGEST * LARGEST * sizes.values + LARGEST;
        double term = Math.max(LARGEST, sizes.scale() * LARGEST * slope);
        double magnitude = term * (sizes.roundings() + 2 * sizes.values + terms);
        return Case.accumulating(terms, magnitude, op, with(mask, operands));
    }

    private static TestOperand[] with(List<TestOperand> mask, TestOperand... operands) {
        return Stream.concat(Stream.of(operands), mask.stream()).toArray(TestOperand[]::new);
    }

    private static TestOperand[] inputs(DType dtype, Sizes sizes) {
        return new TestOperand[] {
            turned(dtype, sizes.query(), 0),
            turned(dtype, Shape.of(sizes.batch, sizes.groups, sizes.keys, sizes.features), 1),
            TestOperand.of(
                    OperandSamples.ORDINARY,
                    dtype,
                    Layout.contiguous(Shape.of(sizes.batch, sizes.groups, sizes.keys, sizes.values)),
                    2)
        };
    }

    /** Heads side by side in memory, as the layer for all heads computes them. */
    private static TestOperand turned(DType dtype, Shape shape, int salt) {
        Shape lies = Shape.of(shape.size(0), shape.size(2), shape.size(1), shape.size(3));
        return TestOperand.of(
                OperandSamples.ORDINARY, dtype, Layout.contiguous(lies).transpose(1, 2), salt);
    }

    /** Logarithms so large that no weight is above 1; the very first query sees nothing. */
    private static TestOperand logarithms(DType dtype, Sizes sizes) {
        TestOperand rows = TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(sizes.rows()), 4);
        HeapBuffer elements = rows.elements();
        for (int row = 0; row < elements.elements(); row++) {
            elements.setDouble(row, elements.getDouble(row) / LARGEST + 2 * LARGEST + 1);
        }
        elements.setDouble(0, Double.NEGATIVE_INFINITY);
        return rows;
    }

    private static TestOperand sums(DType dtype, Sizes sizes) {
        TestOperand rows = TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(sizes.rows()), 5);
        rows.elements().setDouble(0, Double.NaN);
        return rows;
    }

    /** The first query of the first head sees nothing, the others about half; the same in every batch. */
    private static TestOperand booleans(Sizes sizes) {
        Shape once = Shape.of(1, sizes.heads(), sizes.queries, sizes.keys);
        TestOperand seen = TestOperand.of(OperandSamples.ORDINARY, DType.BOOL, Layout.contiguous(once), 6);
        for (int key = 0; key < sizes.keys; key++) {
            seen.elements().setLong(key, 0);
        }
        return seen;
    }

    /** A mask that shows a number of keys at the front and hides all later ones. */
    private static TestOperand padding(Sizes sizes) {
        Layout once = Layout.contiguous(Shape.of(1, 1, 1, sizes.keys));
        TestOperand seen = TestOperand.of(OperandSamples.ORDINARY, DType.BOOL, once, 8);
        for (int key = 0; key < sizes.keys; key++) {
            seen.elements().setLong(key, key <= sizes.keys / 3 ? 1 : 0);
        }
        return seen;
    }

    /** Numbers that are added to the scores of all heads; some of them practically hide keys. */
    private static TestOperand numbers(DType dtype, Sizes sizes) {
        TestOperand added = TestOperand.of(
                OperandSamples.ORDINARY,
                dtype,
                Layout.contiguous(Shape.of(sizes.batch, 1, sizes.queries, sizes.keys)),
                7);
        for (int place = 0; place < added.elements().elements(); place += 5) {
            added.elements().setDouble(place, Double.NEGATIVE_INFINITY);
        }
        return new TestOperand(added.elements(), added.layout().expand(sizes.mask()));
    }
}
