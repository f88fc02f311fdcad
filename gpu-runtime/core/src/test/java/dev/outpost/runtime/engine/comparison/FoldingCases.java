package dev.outpost.runtime.engine.comparison;

import static dev.outpost.runtime.engine.comparison.ElementwiseCases.offset;
import static dev.outpost.runtime.engine.comparison.ElementwiseCases.sliced;
import static dev.outpost.runtime.engine.comparison.ElementwiseCases.transposed;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.engine.ProductLayout;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Reductions, scans, sorts and products, over lengths close to the sizes into which an engine cuts work. */
public final class FoldingCases {
    /** The largest absolute value of an ordinary sample: an integer is at most 9. */
    private static final double LARGEST = 9;

    private static final List<Layout> SMALL = List.of(
            Layout.contiguous(Shape.of(1)),
            Layout.contiguous(Shape.of(17)),
            Layout.contiguous(Shape.of(3, 5)),
            Layout.contiguous(Shape.of(3, 0)),
            transposed(Shape.of(33, 65)),
            sliced(Shape.of(20, 40)),
            Layout.contiguous(Shape.of(1, 9, 1)),
            Layout.contiguous(Shape.of(70, 3, 5)),
            Layout.contiguous(Shape.of(5, 66, 4)),
            Layout.contiguous(Shape.of(4, 1, 19, 6)).transpose(0, 3),
            Layout.contiguous(Shape.of(3, 1, 4)).expand(Shape.of(3, 6, 4)));

    /** Layouts that are tested with one dtype of each kind only, because the reference engine is slow. */
    private static final List<Layout> LARGE = List.of(
            offset(Shape.of(4097), 3),
            Layout.contiguous(Shape.of(40_001)),
            Layout.contiguous(Shape.of(9_000, 3)),
            Layout.contiguous(Shape.of(67, 520)));

    private static final Set<DType> EACH_KIND = EnumSet.of(DType.FLOAT32, DType.BFLOAT16, DType.INT64);

    private FoldingCases() {}

    public static void each(Consumer<Case> consumer) {
        for (DType dtype : DType.values()) {
            scalars(consumer, dtype);
            SMALL.forEach(layout -> folds(consumer, dtype, layout));
            products(consumer, dtype);
        }
        for (DType dtype : EACH_KIND) {
            LARGE.forEach(layout -> folds(consumer, dtype, layout));
        }
    }

    private static void folds(Consumer<Case> consumer, DType dtype, Layout layout) {
        reductions(consumer, dtype, layout);
        for (int axis = 0; axis < layout.rank(); axis++) {
            alongAxis(consumer, dtype, layout, axis);
        }
    }

    private static void scalars(Consumer<Case> consumer, DType dtype) {
        TestOperand scalar = TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(Shape.SCALAR), 0);
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            accept(consumer, Case.of(new Reduce(fn, new Axes(0), false), scalar));
        }
    }

    private static void reductions(Consumer<Case> consumer, DType dtype, Layout layout) {
        for (long axes = 0; axes < 1L << layout.rank(); axes++) {
            for (Reduce.Fn fn : Reduce.Fn.values()) {
                Op op = new Reduce(fn, new Axes(axes), axes % 2 == 0);
                accept(consumer, accumulating(op, fn, dtype, layout));
                accept(consumer, Case.of(op, TestOperand.of(OperandSamples.REPEATED, dtype, layout, 1)));
            }
        }
    }

    private static Case accumulating(Op op, Reduce.Fn fn, DType dtype, Layout layout) {
        return switch (fn) {
            case SUM ->
                Case.accumulating(
                        layout.shape().elements(),
                        LARGEST,
                        op,
                        TestOperand.of(OperandSamples.ORDINARY, dtype, layout, 0));
            case PROD ->
                Case.accumulating(
                        layout.shape().elements(), 0, op, TestOperand.of(OperandSamples.NEAR_ONE, dtype, layout, 0));
            case MAX, MIN -> Case.of(op, TestOperand.of(OperandSamples.ORDINARY, dtype, layout, 0));
        };
    }

    private static void alongAxis(Consumer<Case> consumer, DType dtype, Layout layout, int axis) {
        TestOperand repeated = TestOperand.of(OperandSamples.REPEATED, dtype, layout, 0);
        TestOperand awkward = TestOperand.of(OperandSamples.AWKWARD, dtype, layout, 1);
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            accept(consumer, accumulating(new Cumulative(fn, axis), fn, dtype, layout));
        }
        for (ArgReduce.Fn fn : ArgReduce.Fn.values()) {
            accept(consumer, Case.of(new ArgReduce(fn, axis, false), repeated));
            accept(consumer, Case.of(new ArgReduce(fn, axis, true), awkward));
        }
        for (boolean descending : new boolean[] {false, true}) {
            accept(consumer, Case.of(new Sort(axis, descending), repeated));
            accept(consumer, Case.of(new Sort(axis, descending), awkward));
        }
    }

    private static void products(Consumer<Case> consumer, DType dtype) {
        Layout left = Layout.contiguous(Shape.of(2, 5, 7));
        Layout right = Layout.contiguous(Shape.of(2, 7, 3));
        product(consumer, dtype, left, right);
        product(consumer, dtype, left, Layout.contiguous(Shape.of(2, 3, 7)).transpose(1, 2));
        product(consumer, dtype, Layout.contiguous(Shape.of(2, 7, 5)).transpose(1, 2), right);
        product(consumer, dtype, Layout.contiguous(Shape.of(1, 5, 7)).expand(Shape.of(2, 5, 7)), right);
        product(consumer, dtype, left, Layout.contiguous(Shape.of(2, 7, 6)).slice(2, 1, 3, 2));
        product(
                consumer,
                dtype,
                left,
                Layout.contiguous(Shape.of(2, 9, 6)).slice(1, 2, 7, 1).slice(2, 1, 3, 1));
        product(consumer, dtype, left, Layout.contiguous(Shape.of(2, 1, 3)).expand(Shape.of(2, 7, 3)));
        product(consumer, dtype, left, Layout.contiguous(Shape.of(2, 7, 1)).expand(Shape.of(2, 7, 3)));
        product(consumer, dtype, dense(1, 1, 9), dense(1, 9, 1));
        product(consumer, dtype, dense(3, 4, 1), dense(3, 1, 5));
        product(consumer, dtype, dense(3, 4, 0), dense(3, 0, 5));
        product(consumer, dtype, dense(0, 4, 2), dense(0, 2, 5));
        product(consumer, dtype, dense(2, 0, 2), dense(2, 2, 5));
        product(consumer, dtype, dense(40, 33, 20), dense(40, 20, 17));
        product(consumer, dtype, dense(1, 70, 90), dense(1, 90, 80));
        matrices(consumer, dtype);
    }

    /** Products of matrices without a batch. */
    private static void matrices(Consumer<Case> consumer, DType dtype) {
        Layout left = dense(5, 7);
        Layout right = dense(7, 3);
        product(consumer, dtype, left, right);
        product(consumer, dtype, left, dense(3, 7).transpose(0, 1));
        product(consumer, dtype, dense(7, 5).transpose(0, 1), right);
        product(consumer, dtype, dense(7, 5).transpose(0, 1), dense(3, 7).transpose(0, 1));
        product(consumer, dtype, left, dense(7, 6).slice(1, 2, 3, 1));
        product(consumer, dtype, left, dense(7, 6).slice(1, 0, 3, 2));
        product(consumer, dtype, dense(1, 7).expand(Shape.of(5, 7)), right);
        product(consumer, dtype, left, dense(7, 1).expand(Shape.of(7, 3)));
        product(consumer, dtype, dense(1, 9), dense(9, 1));
        product(consumer, dtype, dense(4, 1), dense(1, 5));
        product(consumer, dtype, dense(4, 0), dense(0, 5));
        product(consumer, dtype, dense(0, 2), dense(2, 5));
        product(consumer, dtype, dense(70, 90), dense(90, 80));
    }

    private static Layout dense(long... sizes) {
        return Layout.contiguous(Shape.of(sizes));
    }

    private static void product(Consumer<Case> consumer, DType dtype, Layout left, Layout right) {
        accept(
                consumer,
                Case.accumulating(
                        ProductLayout.columns(left),
                        LARGEST * LARGEST,
                        new Matmul(),
                        TestOperand.of(OperandSamples.ORDINARY, dtype, left, 0),
                        TestOperand.of(OperandSamples.ORDINARY, dtype, right, 1)));
    }

    private static void accept(Consumer<Case> consumer, Case run) {
        if (ElementwiseCases.isAccepted(run)) {
            consumer.accept(run);
        }
    }
}
