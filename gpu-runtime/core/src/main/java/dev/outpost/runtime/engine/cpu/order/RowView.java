package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;

/**
 * One dimension of an array as the rows of a matrix, for what handles a row at a time.
 *
 * @param array contiguous, the dimension last
 * @param count how many rows
 * @param length the dimension's size, at least 1
 */
record RowView(Array array, int count, int length) {

    static RowView of(Array operand, int axis, DType dtype, Elementwise elementwise, Scratch scratch) {
        Array dense = elementwise.contiguous(axisLast(operand, axis), dtype, scratch);
        int length = (int) operand.shape().size(axis);
        return new RowView(dense, (int) (operand.shape().elements() / length), length);
    }

    /** The same elements with one dimension behind the others. */
    static Array axisLast(Array array, int axis) {
        Layout layout = array.layout().permute(Volume.lastly(axis, array.shape().rank()));
        return new Array(array.buffer(), layout);
    }

    /** Where a row begins in the Java array. */
    int at(int row) {
        return (int) array.layout().offset() + row * length;
    }
}
