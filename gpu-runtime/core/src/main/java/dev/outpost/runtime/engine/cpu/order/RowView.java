package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;

/**
 * One dimension of an array as the rows of a matrix, for code that processes one row at a time.
 *
 * @param array contiguous, with the dimension last
 * @param count the number of rows
 * @param length the dimension's size, at least 1
 */
record RowView(Array array, int count, int length) {

    static RowView of(Array operand, int axis, DType dtype, Elementwise elementwise, Scratch scratch) {
        Array dense = elementwise.contiguous(axisLast(operand, axis), dtype, scratch);
        int length = (int) operand.shape().size(axis);
        return new RowView(dense, (int) (operand.shape().elements() / length), length);
    }

    /** Moves a dimension to the end. */
    static Array axisLast(Array array, int axis) {
        Layout layout = array.layout().permute(Volume.lastly(axis, array.shape().rank()));
        return new Array(array.buffer(), layout);
    }

    /** Returns the index of a row's first element in the Java array. */
    int at(int row) {
        return (int) array.layout().offset() + row * length;
    }
}
