package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/**
 * Ops that read or write elements at the positions in an index operand. The indexed dimension is walked with stride
 * 0, and each index adds an offset along this dimension.
 */
public record Indexing(Elementwise elementwise) {
    private static final int GRAIN = 4096;

    public void gather(Gather op, Array input, Array index, Array result) {
        gather(op, op.axis(), input, index, result);
    }

    public void select(IndexSelect op, Array input, Array index, Array result) {
        requireWithin(bounds(op, op.axis(), input), index, result);
        gather(op, op.axis(), input, along(index, op.axis(), result.shape()), result);
    }

    public void scatter(Scatter op, Array base, Array index, Array source, Array result) {
        elementwise.copy(base, result);
        write(op, op.fn(), op.axis(), index, source, result);
    }

    public void write(IndexWrite op, Array base, Array index, Array source, Array result) {
        requireWithin(bounds(op, op.axis(), base), index, source);
        elementwise.copy(base, result);
        write(op, op.fn(), op.axis(), along(index, op.axis(), source.shape()), source, result);
    }

    public void check(IndexCheck op, Array index, Array result) {
        ArrayLoop loop = (arrays, offsets, strides, count) -> {
            long[] from = (long[]) arrays[0];
            long[] to = (long[]) arrays[1];
            for (int i = 0; i < count; i++) {
                to[offsets[1] + i * strides[1]] = checked(op, from[offsets[0] + i * strides[0]]);
            }
        };
        elementwise.inOrder(loop, GRAIN, result.shape(), result, index);
    }

    private static long checked(IndexCheck op, long index) {
        if (index < -op.size() || index >= op.size()) {
            throw new OpException(
                    op.label(), "index " + index + " is out of bounds for dimension of size " + op.size());
        }
        return index < 0 ? index + op.size() : index;
    }

    /** Checks the indices of empty slices: nothing is moved, but an index must still be within bounds. */
    private void requireWithin(IndexedDimension dimension, Array index, Array slices) {
        if (slices.shape().isEmpty()) {
            ArrayLoop check = (arrays, offsets, strides, count) -> {
                for (int i = 0; i < count; i++) {
                    dimension.place(((long[]) arrays[0])[offsets[0] + i * strides[0]]);
                }
            };
            elementwise.inOrder(check, Integer.MAX_VALUE, index.shape(), index);
        }
    }

    private void gather(Op op, int axis, Array input, Array index, Array result) {
        ArrayLoop loop = new GatherLoop(bounds(op, axis, input));
        Array source = withoutAxis(input, axis, result.shape());
        elementwise.inOrder(loop, GRAIN, result.shape(), result, source, index);
    }

    /** Writes the elements. Writes to one place must keep their order, so threads share only the dimensions before the indexed one. */
    private void write(Op op, Scatter.Fn fn, int axis, Array index, Array source, Array result) {
        Shape shape = index.shape();
        Array covered = new Array(
                source.buffer(),
                Layout.of(shape, source.layout().strides(), source.layout().offset()));
        ArrayLoop loop = scatterLoop(fn, result.dtype(), bounds(op, axis, result));
        elementwise.inOrderFrom(axis, loop, GRAIN, shape, withoutAxis(result, axis, shape), covered, index);
    }

    private ArrayLoop scatterLoop(Scatter.Fn fn, DType dtype, IndexedDimension dimension) {
        return switch (fn) {
            case SET ->
                new ScatterLoop(
                        dimension,
                        true,
                        elementwise.loop(Expression.copy(dtype), Access.UNIT, Access.ALIGNED),
                        elementwise.loop(Expression.copy(dtype), Access.STRIDED, Access.STRIDED),
                        null);
            case ADD -> joining(Binary.ADD, dtype, dimension, ElementSums.of(dtype));
            case MUL -> joining(Binary.MUL, dtype, dimension, null);
            case MAX -> joining(Binary.MAXIMUM, dtype, dimension, null);
            case MIN -> joining(Binary.MINIMUM, dtype, dimension, null);
        };
    }

    private ArrayLoop joining(Binary op, DType dtype, IndexedDimension dimension, ElementSums sums) {
        Expression join = Expression.binary(op, dtype);
        return new ScatterLoop(
                dimension,
                false,
                elementwise.loop(join, Access.ALIGNED, Access.UNIT, Access.ALIGNED),
                elementwise.loop(join, Access.STRIDED, Access.STRIDED, Access.STRIDED),
                sums);
    }

    private static IndexedDimension bounds(Op op, int axis, Array array) {
        return new IndexedDimension(
                op, axis, (int) array.shape().size(axis), (int) array.layout().stride(axis));
    }

    /** Returns a corner of an array with stride 0 in the indexed dimension. */
    private static Array withoutAxis(Array array, int axis, Shape shape) {
        long[] strides = array.layout().strides();
        strides[axis] = 0;
        return new Array(
                array.buffer(), Layout.of(shape, strides, array.layout().offset()));
    }

    /** Expands a one-dimensional index along one dimension of a shape. It is the same for all other dimensions. */
    private static Array along(Array index, int axis, Shape shape) {
        long[] strides = new long[shape.rank()];
        strides[axis] = index.layout().stride(0);
        return new Array(
                index.buffer(), Layout.of(shape, strides, index.layout().offset()));
    }
}
