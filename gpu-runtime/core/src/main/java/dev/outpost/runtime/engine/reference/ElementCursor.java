package dev.outpost.runtime.engine.reference;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Reads or writes the elements of an array one after the other, in row-major order. */
final class ElementCursor {
    private final HeapBuffer buffer;
    private final Cursor cursor;

    private ElementCursor(HeapBuffer buffer, Layout layout) {
        this.buffer = buffer;
        this.cursor = new Cursor(layout);
    }

    static ElementCursor of(Array array) {
        return under(array, array.layout());
    }

    /** Walks the array broadcast to a shape. */
    static ElementCursor expanded(Array array, Shape shape) {
        return under(array, array.layout().expand(shape));
    }

    /** Walks the array's buffer under another layout. */
    static ElementCursor under(Array array, Layout layout) {
        return new ElementCursor(heap(array), layout);
    }

    static HeapBuffer heap(Array array) {
        return (HeapBuffer) array.buffer();
    }

    /** Returns the index of the next element in the buffer. */
    int nextPosition() {
        return cursor.next();
    }

    double nextDouble() {
        return buffer.getDouble(cursor.next());
    }

    long nextLong() {
        return buffer.getLong(cursor.next());
    }

    void put(double value) {
        buffer.setDouble(cursor.next(), value);
    }

    void put(long value) {
        buffer.setLong(cursor.next(), value);
    }

    /** Copies the bits of an element of the same dtype. */
    void putFrom(HeapBuffer source, int position) {
        copy(source, position, buffer, cursor.next());
    }

    void putFrom(ElementCursor source) {
        putFrom(source.buffer, source.cursor.next());
    }

    static void copy(HeapBuffer source, int from, HeapBuffer target, int to) {
        System.arraycopy(source.array(), from, target.array(), to, 1);
    }
}
