package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.types.Layout;
import dev.outpost.runtime.memory.Array;
import java.lang.foreign.MemorySegment;

/**
 * A matrix within a Java array, in the way that a BLAS takes it: rows, or with {@code transposed} columns, lie without
 * gaps and {@code leading} elements apart.
 */
record Matrix(Object elements, int offset, boolean transposed, int leading) {

    /** Whether every matrix of a batch {@code [batch, rows, columns]} can be said so. */
    static boolean fits(Layout batch) {
        return isRows(batch) || isRows(batch.transpose(1, 2));
    }

    /** A matrix of a batch that {@link #fits}. */
    static Matrix of(Array batch, int number) {
        Layout layout = batch.layout();
        boolean transposed = !isRows(layout);
        int rows = transposed ? 2 : 1;
        long offset = layout.offset() + number * layout.stride(0);
        long apart = layout.shape().size(rows) == 1 ? 1 : layout.stride(rows);
        long leading = Math.max(apart, layout.shape().size(3 - rows));
        return new Matrix(Elementwise.javaArray(batch), (int) offset, transposed, (int) leading);
    }

    private static boolean isRows(Layout batch) {
        long columns = batch.shape().size(2);
        boolean dense = columns == 1 || batch.stride(2) == 1;
        return dense && (batch.shape().size(1) == 1 || batch.stride(1) >= Math.max(columns, 1));
    }

    /** A float array from its first element on. */
    MemorySegment floats() {
        return MemorySegment.ofArray((float[]) elements).asSlice(4L * offset);
    }

    /** A double array from its first element on. */
    MemorySegment doubles() {
        return MemorySegment.ofArray((double[]) elements).asSlice(8L * offset);
    }

    /** With rows and columns exchanged. */
    Matrix exchanged() {
        return new Matrix(elements, offset, !transposed, leading);
    }

    /** From the given row and column on. */
    Matrix from(int row, int column) {
        int moved = transposed ? column * leading + row : row * leading + column;
        return new Matrix(elements, offset + moved, transposed, leading);
    }
}
