package dev.outpost.runtime.engine.comparison;

import static dev.outpost.runtime.engine.comparison.ElementwiseCases.offset;
import static dev.outpost.runtime.engine.comparison.ElementwiseCases.transposed;

import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.function.Consumer;

/** Ops that make, move or look up elements, with indices in bounds and out. */
public final class MovingCases {
    private static final Shape MATRIX = Shape.of(6, 5);
    private static final Shape CUBE = Shape.of(4, 6, 5);
    private static final List<Shape> SHAPES =
            List.of(Shape.SCALAR, Shape.of(0, 4), Shape.of(1), Shape.of(7, 3), Shape.of(20_003));

    private MovingCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : DType.values()) {
            fills(consumer, dtype);
            randoms(consumer, dtype);
            gathers(consumer, dtype);
            selections(consumer, dtype);
            for (Scatter.Fn fn : Scatter.Fn.values()) {
                scatters(consumer, fn, dtype);
                indexWrites(consumer, fn, dtype);
            }
            concats(consumer, dtype);
            stridedWrites(consumer, dtype);
            nonzeros(consumer, dtype);
        }
        checks(consumer);
    }

    private static TestOperand operand(DType dtype, Layout layout, int salt) {
        return TestOperand.of(OperandSamples.REPEATED, dtype, layout, salt);
    }

    private static Layout dense(long... sizes) {
        return Layout.contiguous(Shape.of(sizes));
    }

    private static void accept(Consumer<Case> consumer, Case run) {
        if (ElementwiseCases.isAccepted(run)) {
            consumer.accept(run);
        }
    }

    private static void fills(Consumer<Case> consumer, DType dtype) {
        for (Shape shape : SHAPES) {
            accept(consumer, Case.of(new Fill(shape, Scalar.of(dtype, -2.75))));
        }
        for (long length : new long[] {0, 1, 9, 40_000}) {
            accept(
                    consumer,
                    Case.of(new Arange(dtype, length, Scalar.of(DType.INT64, 5L), Scalar.of(DType.INT64, -3L))));
            accept(
                    consumer,
                    Case.of(new Arange(dtype, length, Scalar.of(DType.FLOAT64, 0.1), Scalar.of(DType.FLOAT64, 0.3))));
        }
    }

    private static void randoms(Consumer<Case> consumer, DType dtype) {
        for (Shape shape : SHAPES) {
            for (Random.Fn fn : Random.Fn.values()) {
                Random whole = new Random(fn, new TensorType(dtype, shape), -77, 1L << 40, -5, 100);
                accept(consumer, Case.of(whole));
                accept(consumer, Case.of(whole.part(whole.type(), new Random.Part(5, 3, 7))));
            }
        }
    }

    private static void gathers(Consumer<Case> consumer, DType dtype) {
        for (int axis = 0; axis < 2; axis++) {
            TestOperand index = TestOperand.indices(dense(4, 3), MATRIX.size(axis));
            accept(consumer, Case.of(new Gather(axis), operand(dtype, offset(MATRIX, 2), 0), index));
            accept(consumer, Case.of(new Gather(axis), operand(dtype, transposed(Shape.of(5, 6)), 0), index));
            TestOperand turned = TestOperand.indices(transposed(Shape.of(3, 4)), MATRIX.size(axis));
            accept(consumer, Case.of(new Gather(axis), operand(dtype, Layout.contiguous(MATRIX), 0), turned));
        }
        accept(
                consumer,
                Case.of(new Gather(1), operand(dtype, dense(2, 3), 0), TestOperand.indices(dense(2, 2500), 3)));
        accept(consumer, Case.of(new Gather(0), operand(dtype, dense(10), 0), TestOperand.longs(3, 12, 11)));
        accept(consumer, Case.of(new Gather(0), operand(dtype, dense(10), 0), TestOperand.longs(3, -1)));
    }

    private static void selections(Consumer<Case> consumer, DType dtype) {
        Layout strided = Layout.contiguous(Shape.of(5, 6, 4)).transpose(0, 2);
        for (int axis = 0; axis < 3; axis++) {
            TestOperand index = TestOperand.indices(dense(9).slice(0, 1, 4, 2), CUBE.size(axis));
            accept(consumer, Case.of(new IndexSelect(axis), operand(dtype, Layout.contiguous(CUBE), 0), index));
            accept(consumer, Case.of(new IndexSelect(axis), operand(dtype, strided, 0), index));
        }
        accept(consumer, Case.of(new IndexSelect(0), operand(dtype, dense(10, 3), 0), TestOperand.longs(1, 10)));
        accept(consumer, Case.of(new IndexSelect(0), operand(dtype, dense(10, 0), 0), TestOperand.longs(1, 10)));
        accept(
                consumer,
                Case.of(new IndexSelect(0), operand(dtype, dense(10, 3), 0), TestOperand.indices(dense(0), 10)));
    }

    private static void scatters(Consumer<Case> consumer, Scatter.Fn fn, DType dtype) {
        for (int axis = 0; axis < 2; axis++) {
            TestOperand index = TestOperand.indices(dense(5, 4), MATRIX.size(axis));
            TestOperand source = operand(dtype, dense(5, 5), 1);
            accept(
                    consumer,
                    Case.of(new Scatter(fn, axis), operand(dtype, Layout.contiguous(MATRIX), 0), index, source));
            TestOperand turned = operand(dtype, transposed(Shape.of(4, 7)), 1);
            accept(
                    consumer,
                    Case.of(new Scatter(fn, axis), operand(dtype, transposed(Shape.of(5, 6)), 0), index, turned));
        }
        TestOperand many = TestOperand.indices(dense(70, 3), 9);
        accept(
                consumer,
                Case.of(new Scatter(fn, 0), operand(dtype, dense(9, 3), 0), many, operand(dtype, dense(71, 4), 1)));
        // Enough rows for several threads.
        TestOperand shared = TestOperand.indices(dense(41, 300), 200);
        TestOperand rows = operand(dtype, dense(41, 310).slice(1, 5, 305, 1), 1);
        accept(consumer, Case.of(new Scatter(fn, 1), operand(dtype, dense(41, 200), 0), shared, rows));
        accept(
                consumer,
                Case.of(
                        new Scatter(fn, 0),
                        operand(dtype, dense(10), 0),
                        TestOperand.longs(3, 12),
                        operand(dtype, dense(2), 1)));
    }

    private static void indexWrites(Consumer<Case> consumer, Scatter.Fn fn, DType dtype) {
        for (int axis = 0; axis < 3; axis++) {
            long[] sizes = CUBE.toArray();
            sizes[axis] = 4;
            TestOperand index = TestOperand.indices(dense(9).slice(0, 1, 4, 2), CUBE.size(axis));
            TestOperand base = operand(dtype, offset(CUBE, 1), 0);
            accept(consumer, Case.of(new IndexWrite(fn, axis), base, index, operand(dtype, dense(sizes), 1)));
            Layout turned =
                    Layout.contiguous(Shape.of(sizes[2], sizes[1], sizes[0])).transpose(0, 2);
            accept(consumer, Case.of(new IndexWrite(fn, axis), base, index, operand(dtype, turned, 1)));
        }
        TestOperand many = TestOperand.indices(dense(80).slice(0, 0, 40, 2), 6);
        accept(
                consumer,
                Case.of(
                        new IndexWrite(fn, 1),
                        operand(dtype, dense(2, 6, 3), 0),
                        many,
                        operand(dtype, dense(2, 40, 3), 1)));
        accept(
                consumer,
                Case.of(
                        new IndexWrite(fn, 0),
                        operand(dtype, dense(3, 0), 0),
                        TestOperand.longs(1, -4),
                        operand(dtype, dense(2, 0), 1)));
    }

    private static void concats(Consumer<Case> consumer, DType dtype) {
        accept(consumer, Case.of(new Concat(0), operand(dtype, dense(4), 0)));
        accept(
                consumer,
                Case.of(
                        new Concat(0),
                        operand(dtype, dense(2, 3), 0),
                        operand(dtype, dense(0, 3), 1),
                        operand(dtype, transposed(Shape.of(3, 5)), 2)));
        accept(
                consumer,
                Case.of(new Concat(1), operand(dtype, dense(3, 2), 0), operand(dtype, transposed(Shape.of(5, 3)), 1)));
    }

    private static void stridedWrites(Consumer<Case> consumer, DType dtype) {
        Layout columns = Layout.contiguous(MATRIX).slice(1, 1, 2, 2);
        for (Layout view : List.of(
                columns, columns.transpose(0, 1), Layout.contiguous(MATRIX).select(0, 3))) {
            TestOperand source = operand(dtype, Layout.contiguous(view.shape()), 1);
            accept(consumer, Case.of(new StridedWrite(view), operand(dtype, transposed(Shape.of(5, 6)), 0), source));
        }
    }

    private static void nonzeros(Consumer<Case> consumer, DType dtype) {
        for (Layout layout : List.of(dense(0, 2), dense(9), transposed(Shape.of(4, 5)), Layout.contiguous(CUBE))) {
            TestOperand operand = operand(dtype, layout, 0);
            accept(consumer, Case.of(new Nonzero(nonzeros(operand)), operand));
        }
        accept(consumer, Case.of(new Nonzero(1000), operand(dtype, dense(9), 0)));
    }

    private static long nonzeros(TestOperand operand) {
        Cursor cursor = new Cursor(operand.layout());
        long count = 0;
        for (long element = 0; element < operand.layout().shape().elements(); element++) {
            count += operand.elements().getDouble(cursor.next()) != 0 ? 1 : 0;
        }
        return count;
    }

    private static void checks(Consumer<Case> consumer) {
        accept(consumer, Case.of(new IndexCheck(10), TestOperand.longs(0, -10, 9, -1)));
        accept(consumer, Case.of(new IndexCheck(10), TestOperand.longs(0, 10, 11)));
        accept(consumer, Case.of(new IndexCheck(10), TestOperand.longs(-11)));
        accept(consumer, Case.of(new IndexCheck(7), TestOperand.indices(transposed(Shape.of(3, 4)), 7)));
    }
}
