package dev.outpost.runtime.engine.reference;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Layout;

/** The elements of an array along one dimension, at one index of the others. It moves through these indices in row-major order. */
final class Line {
    private final HeapBuffer buffer;
    private final long stride;
    private final long length;
    private final long lines;
    private final Cursor starts;
    private int start;

    Line(Array array, int axis) {
        Layout layout = array.layout();
        Layout others = layout.select(axis, 0);
        buffer = ElementCursor.heap(array);
        stride = layout.stride(axis);
        length = layout.shape().size(axis);
        lines = length == 0 ? 0 : others.shape().elements();
        starts = new Cursor(others);
    }

    /** Returns the number of lines of the array; 0 if they are empty. */
    long lines() {
        return lines;
    }

    /** Returns the number of elements in each line. Loops over it fit into an int. */
    int length() {
        return Math.toIntExact(length);
    }

    void moveToNext() {
        start = starts.next();
    }

    int position(int index) {
        return (int) (start + index * stride);
    }

    double getDouble(int index) {
        return buffer.getDouble(position(index));
    }

    long getLong(int index) {
        return buffer.getLong(position(index));
    }

    void put(int index, double value) {
        buffer.setDouble(position(index), value);
    }

    void put(int index, long value) {
        buffer.setLong(position(index), value);
    }

    /** Copies the bits of an element of the same dtype. */
    void putFrom(int index, Line source, int sourceIndex) {
        ElementCursor.copy(source.buffer, source.position(sourceIndex), buffer, position(index));
    }
}
