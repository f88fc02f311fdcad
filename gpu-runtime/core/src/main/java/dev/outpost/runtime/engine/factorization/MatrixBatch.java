package dev.outpost.runtime.engine.factorization;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Cursor;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** The matrices or vectors of an array, numbered in row-major order over the leading dimensions. */
final class MatrixBatch {
    private final Array array;
    private final Layout leading;
    private final int inner;

    private MatrixBatch(Array array, int inner) {
        this.array = array;
        this.inner = inner;
        int rank = array.shape().rank() - inner;
        Layout layout = array.layout();
        leading = Layout.of(
                Shape.of(Arrays.copyOf(array.shape().toArray(), rank)),
                Arrays.copyOf(layout.strides(), rank),
                layout.offset());
    }

    static MatrixBatch ofMatrices(Array array) {
        return new MatrixBatch(array, 2);
    }

    static MatrixBatch ofVectors(Array array) {
        return new MatrixBatch(array, 1);
    }

    Shape shape() {
        return leading.shape();
    }

    int count() {
        return Math.toIntExact(leading.shape().elements());
    }

    HeapBuffer buffer() {
        return (HeapBuffer) array.buffer();
    }

    /** Returns the offset of the first element of a matrix or vector. */
    int offset(int number) {
        return new Cursor(leading, number).next();
    }

    /** Returns the size of the last dimension. */
    int length() {
        return size(array.shape().rank() - 1);
    }

    /** Returns the distance from one element of a vector to the next. */
    int stride() {
        return stride(array.shape().rank() - 1);
    }

    MatrixView matrix(int number) {
        int rows = array.shape().rank() - inner;
        return new MatrixView(buffer(), offset(number), size(rows), size(rows + 1), stride(rows), stride(rows + 1));
    }

    private int size(int dim) {
        return Math.toIntExact(array.shape().size(dim));
    }

    private int stride(int dim) {
        return array.shape().size(dim) < 2 ? 1 : Math.toIntExact(array.layout().stride(dim));
    }
}
