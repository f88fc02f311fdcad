package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.Consumer;

/**
 * Factorizations of matrices that are far from singular, so that rounding errors are not amplified; and of matrices that are refused.
 */
public final class FactorizationCases {
    /** The largest absolute value of an ordinary sample. */
    private static final double LARGEST = 4;

    private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64);
    private static final List<Shape> SQUARES = List.of(
            Shape.of(1, 1),
            Shape.of(5, 5),
            Shape.of(2, 3, 4, 4),
            Shape.of(70, 70),
            Shape.of(0, 3, 3),
            Shape.of(2, 0, 0));
    private static final List<Shape> OTHERS =
            List.of(Shape.of(3, 5), Shape.of(2, 7, 4), Shape.of(65, 40), Shape.of(2, 0, 3), Shape.of(3, 0));

    private FactorizationCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : FLOATS) {
            for (Shape shape : SQUARES) {
                everyWay(shape).forEach(layout -> squares(consumer, dtype, layout));
            }
            for (Shape shape : OTHERS) {
                everyWay(shape).forEach(layout -> others(consumer, dtype, layout));
            }
            refused(consumer, dtype);
            orthogonal(consumer, dtype);
        }
        orders(consumer);
    }

    /** Layouts: row by row; column by column; a part of larger matrices; the same matrix for a whole batch. */
    private static List<Layout> everyWay(Shape shape) {
        int rank = shape.rank();
        long[] larger = shape.toArray();
        larger[rank - 1] += 2;
        long[] turned = shape.toArray();
        turned[rank - 1] = shape.size(rank - 2);
        turned[rank - 2] = shape.size(rank - 1);
        long[] one = shape.toArray();
        one[0] = 1;
        return List.of(
                Layout.contiguous(shape),
                Layout.contiguous(Shape.of(turned)).transpose(rank - 2, rank - 1),
                Layout.contiguous(Shape.of(larger)).slice(rank - 1, 1, shape.size(rank - 1), 1),
                rank == 2
                        ? Layout.contiguous(shape)
                        : Layout.contiguous(Shape.of(one)).expand(shape));
    }

    private static void squares(Consumer<Case> consumer, DType dtype, Layout layout) {
        long n = layout.shape().size(layout.rank() - 1);
        TestOperand heavy = withDiagonal(dtype, layout, 0, 2 * LARGEST * n + 1);
        consumer.accept(Case.accumulating(n + 1, LARGEST * n + 1, new Cholesky(true), heavy));
        others(consumer, dtype, layout);
        for (boolean upper : new boolean[] {false, true}) {
            for (long columns : new long[] {0, 1, 3, 40}) {
                TestOperand right = right(dtype, layout.shape(), columns);
                consumer.accept(Case.accumulating(n + 1, LARGEST, new TriangularSolve(upper, false), heavy, right));
            }
        }
        consumer.accept(Case.accumulating(
                n + 1,
                LARGEST,
                new TriangularSolve(true, true),
                small(dtype, layout, 0.25 / (LARGEST * Math.max(n, 1))),
                right(dtype, layout.shape(), 3)));
    }

    private static void others(Consumer<Case> consumer, DType dtype, Layout layout) {
        long max =
                Math.max(layout.shape().size(layout.rank() - 1), layout.shape().size(layout.rank() - 2));
        double weight = 2 * LARGEST * max + 1;
        // The large elements are below the diagonal, so rows have to be exchanged.
        TestOperand shifted = withDiagonal(dtype, layout, 1, weight);
        consumer.accept(Case.accumulating(max + 1, 2 * weight, new LuFactor(false), shifted));
    }

    /** As many matrices of as many rows. */
    private static TestOperand right(DType dtype, Shape squares, long columns) {
        long[] sizes = squares.toArray();
        sizes[sizes.length - 1] = columns;
        return TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(Shape.of(sizes)), 3);
    }

    private static TestOperand small(DType dtype, Layout layout, double factor) {
        TestOperand operand = TestOperand.of(OperandSamples.ORDINARY, dtype, layout, 5);
        HeapBuffer elements = operand.elements();
        for (int place = 0; place < elements.elements(); place++) {
            elements.setDouble(place, elements.getDouble(place) * factor);
        }
        return operand;
    }

    /** Ordinary elements, and large ones the given number of rows below the diagonal, which continue at the top after the last row. */
    private static TestOperand withDiagonal(DType dtype, Layout layout, int below, double weight) {
        TestOperand operand = TestOperand.of(OperandSamples.ORDINARY, dtype, layout, 1);
        int rank = layout.rank();
        Cursor cursor = new Cursor(layout);
        for (long element = 0; element < layout.shape().elements(); element++) {
            long row = cursor.index(rank - 2);
            long column = cursor.index(rank - 1);
            int place = cursor.next();
            if (row == (column + below) % layout.shape().size(rank - 2)) {
                operand.elements().setDouble(place, weight);
            }
        }
        return operand;
    }

    private static void refused(Consumer<Case> consumer, DType dtype) {
        for (boolean checked : new boolean[] {false, true}) {
            Layout batch = Layout.contiguous(Shape.of(2, 2, 3, 3));
            consumer.accept(Case.of(new Cholesky(checked), replaced(dtype, batch, 13, -1)));
            consumer.accept(Case.of(new Cholesky(checked), replaced(dtype, batch, 21, Double.NaN)));
            consumer.accept(Case.of(new Cholesky(checked), replaced(dtype, batch, 3, Double.POSITIVE_INFINITY)));
            consumer.accept(Case.of(new LuFactor(checked), replaced(dtype, batch, 30, Double.NaN)));
            consumer.accept(Case.of(new LuFactor(checked), numbers(dtype, Shape.of(2, 2), 1, 2, 2, 4)));
            consumer.accept(Case.of(new LuFactor(checked), numbers(dtype, Shape.of(2, 2, 2), 2, 1, 1, 2, 0, 1, 0, 3)));
            consumer.accept(Case.of(new LuFactor(checked), numbers(dtype, Shape.of(2, 3), 0, 0, 0, 0, 0, 0)));
        }
        TestOperand right = TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(Shape.of(2, 1)), 0);
        consumer.accept(Case.of(new TriangularSolve(false, false), numbers(dtype, Shape.of(2, 2), 1, 5, 0, 0), right));
    }

    /** A positive definite matrix with one element replaced. */
    private static TestOperand replaced(DType dtype, Layout layout, int place, double value) {
        TestOperand operand = withDiagonal(dtype, layout, 0, 2 * LARGEST * layout.rank());
        operand.elements().setDouble(place, value);
        return operand;
    }

    private static TestOperand numbers(DType dtype, Shape shape, double... values) {
        HeapBuffer elements = HeapBuffer.allocate(dtype, values.length);
        for (int place = 0; place < values.length; place++) {
            elements.setDouble(place, values[place]);
        }
        return new TestOperand(elements, Layout.contiguous(shape));
    }

    private static void orders(Consumer<Case> consumer) {
        consumer.accept(Case.of(new PivotOrder(4), numbers(DType.INT32, Shape.of(2, 3), 3, 3, 4, 1, 2, 3)));
        TestOperand turned = numbers(DType.INT32, Shape.of(3, 2), 2, 3, 2, 3, 3, 3);
        consumer.accept(Case.of(
                new PivotOrder(3),
                new TestOperand(turned.elements(), turned.layout().transpose(0, 1))));
        consumer.accept(Case.of(new PivotOrder(3), numbers(DType.INT32, Shape.of(2), 1, 0)));
        consumer.accept(Case.of(new PivotOrder(3), numbers(DType.INT32, Shape.of(2), 1, 4)));
        consumer.accept(Case.of(new PivotOrder(2), numbers(DType.INT32, Shape.of(2, 0))));
    }

    /** Matrices with few and many rows, whose eigenvalues and columns are well separated. */
    private static void orthogonal(Consumer<Case> consumer, DType dtype) {
        for (Shape shape : OTHERS) {
            everyWay(shape).forEach(layout -> orthogonal(consumer, dtype, separatedDiagonal(dtype, layout, 0)));
        }
        for (Shape shape : SQUARES) {
            everyWay(shape).forEach(layout -> {
                orthogonal(consumer, dtype, separatedDiagonal(dtype, layout, 1));
                for (boolean vectors : new boolean[] {false, true}) {
                    consumer.accept(rotated(new Eigh(vectors), separatedDiagonal(dtype, layout, 0)));
                    consumer.accept(rotated(new Eig(vectors), separatedDiagonal(dtype, layout, 0)));
                }
            });
        }
        TestOperand broken = numbers(dtype, Shape.of(2, 1, 2), 1, 2, Double.NaN, 3);
        for (Qr.Form form : Qr.Form.values()) {
            consumer.accept(Case.of(new Qr(form), broken));
        }
        consumer.accept(Case.of(new Svd(Svd.Form.REDUCED), broken));
        consumer.accept(Case.of(new Ldl(), numbers(dtype, Shape.of(2, 2), 1, 9, 4, 0.5)));
        consumer.accept(Case.of(new Ldl(), numbers(dtype, Shape.of(2, 2), 1, 2, Double.NaN, 3)));
        TestOperand packed = numbers(dtype, Shape.of(2, 2), 1, 0, 4, 0.5);
        for (int exchange : new int[] {1, -2, 5}) {
            consumer.accept(Case.of(
                    new LdlSolve(),
                    packed,
                    numbers(DType.INT32, Shape.of(2), exchange, exchange < 0 ? exchange : 2),
                    numbers(dtype, Shape.of(2, 1), 3, 5)));
        }
        consumer.accept(Case.of(new Eigh(true), numbers(dtype, Shape.of(2, 2), 1, 2, Double.NEGATIVE_INFINITY, 3)));
        consumer.accept(Case.of(new Eig(false), numbers(dtype, Shape.of(2, 2), 1, 2, Double.NaN, 3)));
        // Conjugate eigenvalues, beside a real one.
        consumer.accept(rotated(new Eig(true), numbers(dtype, Shape.of(3, 3), 1, -4, 0.5, 4, 1, 0.25, 0.5, 0.25, -6)));
        consumer.accept(Case.of(new Svd(Svd.Form.FULL), numbers(dtype, Shape.of(2, 3), 0, 0, 0, 0, 0, 0)));
    }

    private static void orthogonal(Consumer<Case> consumer, DType dtype, TestOperand operand) {
        for (Qr.Form form : Qr.Form.values()) {
            consumer.accept(rotated(new Qr(form), operand));
        }
        consumer.accept(rotated(new Svd(Svd.Form.VALUES), operand));
        consumer.accept(rotated(new Svd(Svd.Form.REDUCED), operand));
    }

    /** A case in which each element is rotated once per row or column, and none is larger than their number. */
    private static Case rotated(Op op, TestOperand operand) {
        Shape shape = operand.type().shape();
        long max = Math.max(shape.size(shape.rank() - 1), shape.size(shape.rank() - 2)) + 1;
        return Case.accumulating(max, max, op, operand);
    }

    /** Small elements and a diagonal, moved down by some rows, whose steps are larger than the sum of the small elements. */
    private static TestOperand separatedDiagonal(DType dtype, Layout layout, int below) {
        int rank = layout.rank();
        long max = Math.max(layout.shape().size(rank - 1), layout.shape().size(rank - 2));
        TestOperand operand = small(dtype, layout, 0.25 / (LARGEST * Math.max(max, 1)));
        Cursor cursor = new Cursor(layout);
        for (long element = 0; element < layout.shape().elements(); element++) {
            long row = cursor.index(rank - 2);
            long column = cursor.index(rank - 1);
            int place = cursor.next();
            if (row == (column + below) % layout.shape().size(rank - 2)) {
                operand.elements().setDouble(place, column % 2 == 0 ? column + 1 : -column - 1);
            }
        }
        return operand;
    }
}
