package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexNames;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;

/** Ops that read or write at indices, and the op that computes indices. */
final class Indexing {
    private Indexing() {}

    static void check(IndexCheck op, Array index, Array out) {
        ElementCursor source = ElementCursor.of(index);
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.put(fromFront(op, source.nextLong()));
        }
    }

    private static long fromFront(IndexCheck op, long index) {
        if (index < -op.size() || index >= op.size()) {
            throw new OpException(
                    op.label(), "index " + index + " is out of bounds for dimension of size " + op.size());
        }
        return index < 0 ? index + op.size() : index;
    }

    static void gather(Gather op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, index, out);
    }

    static void indexSelect(IndexSelect op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, alongAxis(index, op.axis(), out.shape()), out);
    }

    static void scatter(Scatter op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatterAlong(op.axis(), op.fn(), base, index, source, out);
    }

    static void indexWrite(IndexWrite op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatterAlong(op.axis(), op.fn(), base, alongAxis(index, op.axis(), source.shape()), source, out);
    }

    /** Checks all indices before anything is written, even if the slices are empty. */
    private static void requireWithin(Op op, Array index, int axis, Shape shape) {
        ElementCursor indices = ElementCursor.of(index);
        for (long count = index.shape().elements(); count > 0; count--) {
            long value = indices.nextLong();
            if (value < 0 || value >= shape.size(axis)) {
                throw IndexNames.refusal(op, value, axis, shape.size(axis));
            }
        }
    }

    /** Expands a one-dimensional index over all dimensions but the axis, so that every element has its own. */
    private static Array alongAxis(Array index, int axis, Shape shape) {
        long[] strides = new long[shape.rank()];
        strides[axis] = index.layout().stride(0);
        return new Array(
                index.buffer(), Layout.of(shape, strides, index.layout().offset()));
    }

    private static void gatherAlong(int axis, Array input, Array index, Array out) {
        ElementCursor indices = ElementCursor.of(index);
        ElementCursor lines = ElementCursor.under(input, lineStarts(input, axis, index.shape()));
        ElementCursor target = ElementCursor.of(out);
        HeapBuffer source = ElementCursor.heap(input);
        long stride = input.layout().stride(axis);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.putFrom(source, (int) (lines.nextPosition() + indices.nextLong() * stride));
        }
    }

    private static void scatterAlong(int axis, Scatter.Fn fn, Array base, Array index, Array source, Array out) {
        Movement.copy(base, out);
        Layout read = source.layout();
        ElementCursor indices = ElementCursor.of(index);
        ElementCursor lines = ElementCursor.under(out, lineStarts(out, axis, index.shape()));
        ElementCursor sources = ElementCursor.under(source, Layout.of(index.shape(), read.strides(), read.offset()));
        ScatterCombine scatterCombine = new ScatterCombine(fn, ElementCursor.heap(source), ElementCursor.heap(out));
        long stride = out.layout().stride(axis);
        for (long count = index.shape().elements(); count > 0; count--) {
            int target = (int) (lines.nextPosition() + indices.nextLong() * stride);
            scatterCombine.join(sources.nextPosition(), target);
        }
    }

    /**
     * Returns the layout that maps each element of an index to the start of the line from which it chooses. The stride along the axis is 0.
     */
    private static Layout lineStarts(Array array, int axis, Shape shape) {
        long[] strides = array.layout().strides();
        strides[axis] = 0;
        return Layout.of(shape, strides, array.layout().offset());
    }

    static void nonzero(Nonzero op, Array x, Array out) {
        requireCount(op.count(), countNonzero(x));
        Cursor cursor = new Cursor(x.layout());
        ElementCursor source = ElementCursor.of(x);
        ElementCursor target = ElementCursor.of(out);
        for (long count = x.shape().elements(); count > 0; count--) {
            if (source.nextDouble() != 0) {
                putIndex(cursor, x.shape().rank(), target);
            }
            cursor.next();
        }
    }

    private static long countNonzero(Array x) {
        ElementCursor source = ElementCursor.of(x);
        long found = 0;
        for (long count = x.shape().elements(); count > 0; count--) {
            found += source.nextDouble() != 0 ? 1 : 0;
        }
        return found;
    }

    private static void requireCount(long stated, long found) {
        if (stated != found) {
            throw new OutpostException(
                    FaultKind.INTERNAL, "nonzero: the stated count is wrong, got " + stated + " and " + found);
        }
    }

    private static void putIndex(Cursor cursor, int rank, ElementCursor target) {
        for (int dim = 0; dim < rank; dim++) {
            target.put(cursor.index(dim));
        }
    }
}
