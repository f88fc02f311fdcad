package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Folds elements. Floating elements of every width are accumulated in double, because this engine computes the most
 * accurate result.
 */
final class Reductions {
    private Reductions() {}

    static void reduce(Reduce op, Array x, Array out) {
        Cursor slots = new Cursor(slots(x.shape(), op.axes()));
        if (x.dtype().isFloating()) {
            reduceDoubles(op.fn(), x, slots, out);
        } else {
            reduceLongs(op.fn(), x, slots, out);
        }
    }

    private static void reduceDoubles(Reduce.Fn fn, Array x, Cursor slots, Array out) {
        double[] sofar = new double[(int) out.shape().elements()];
        Arrays.fill(sofar, Folding.startOfDoubles(fn));
        DoubleBinaryOperator fold = Folding.ofDoubles(fn);
        ElementCursor source = ElementCursor.of(x);
        for (long count = x.shape().elements(); count > 0; count--) {
            int slot = slots.next();
            sofar[slot] = fold.applyAsDouble(sofar[slot], source.nextDouble());
        }
        ElementCursor target = ElementCursor.of(out);
        Arrays.stream(sofar).forEach(target::put);
    }

    private static void reduceLongs(Reduce.Fn fn, Array x, Cursor slots, Array out) {
        long[] sofar = new long[(int) out.shape().elements()];
        Arrays.fill(sofar, Folding.startOfLongs(fn));
        LongBinaryOperator fold = Folding.ofLongs(fn);
        ElementCursor source = ElementCursor.of(x);
        for (long count = x.shape().elements(); count > 0; count--) {
            int slot = slots.next();
            sofar[slot] = fold.applyAsLong(sofar[slot], source.nextLong());
        }
        ElementCursor target = ElementCursor.of(out);
        Arrays.stream(sofar).forEach(target::put);
    }

    /**
     * Returns the layout that maps each element to the number of the result into which it is folded. The stride along folded dimensions is
     * 0.
     */
    private static Layout slots(Shape shape, Axes axes) {
        long[] strides = new long[shape.rank()];
        long stride = 1;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            if (!axes.contains(dim)) {
                strides[dim] = stride;
                stride *= Math.max(shape.size(dim), 1);
            }
        }
        return Layout.of(shape, strides, 0);
    }

    static void argReduce(ArgReduce op, Array x, Array out) {
        Line line = new Line(x, op.axis());
        ElementCursor target = ElementCursor.of(out);
        for (long rest = line.lines(); rest > 0; rest--) {
            line.moveToNext();
            target.put((long) (x.dtype().isFloating() ? argOfDoubles(op.fn(), line) : argOfLongs(op.fn(), line)));
        }
    }

    private static int argOfDoubles(ArgReduce.Fn fn, Line line) {
        int best = 0;
        for (int index = 1; index < line.length(); index++) {
            if (outranks(fn, line.getDouble(index), line.getDouble(best))) {
                best = index;
            }
        }
        return best;
    }

    private static boolean outranks(ArgReduce.Fn fn, double x, double best) {
        if (Double.isNaN(x)) {
            return !Double.isNaN(best);
        }
        return switch (fn) {
            case ARGMAX -> x > best;
            case ARGMIN -> x < best;
        };
    }

    private static int argOfLongs(ArgReduce.Fn fn, Line line) {
        int best = 0;
        for (int index = 1; index < line.length(); index++) {
            if (outranks(fn, line.getLong(index), line.getLong(best))) {
                best = index;
            }
        }
        return best;
    }

    private static boolean outranks(ArgReduce.Fn fn, long x, long best) {
        return switch (fn) {
            case ARGMAX -> x > best;
            case ARGMIN -> x < best;
        };
    }

    static void cumulative(Cumulative op, Array x, Array out) {
        Line source = new Line(x, op.axis());
        Line target = new Line(out, op.axis());
        for (long rest = source.lines(); rest > 0; rest--) {
            source.moveToNext();
            target.moveToNext();
            if (x.dtype().isFloating()) {
                accumulateDoubles(op.fn(), source, target);
            } else {
                accumulateLongs(op.fn(), source, target);
            }
        }
    }

    private static void accumulateDoubles(Reduce.Fn fn, Line source, Line target) {
        double sofar = Folding.startOfDoubles(fn);
        for (int index = 0; index < source.length(); index++) {
            sofar = Folding.ofDoubles(fn).applyAsDouble(sofar, source.getDouble(index));
            target.put(index, sofar);
        }
    }

    private static void accumulateLongs(Reduce.Fn fn, Line source, Line target) {
        long sofar = Folding.startOfLongs(fn);
        for (int index = 0; index < source.length(); index++) {
            sofar = Folding.ofLongs(fn).applyAsLong(sofar, source.getLong(index));
            target.put(index, sofar);
        }
    }
}
