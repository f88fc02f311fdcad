package dev.outpost.runtime.engine.cpu.product;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.outpost.runtime.engine.factorization.MatrixView;
import dev.outpost.types.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A column-major matrix in native memory without gaps.
 *
 * @param dtype float32 or float64
 * @param memory room for the elements of the matrix, at least for one
 */
record NativeMatrix(DType dtype, MemorySegment memory) {
    /** The number of columns in a block. Columns are copied in blocks so that rows stay in the cache. */
    private static final int BLOCK = 16;

    static NativeMatrix allocate(Arena arena, DType dtype, long elements) {
        return new NativeMatrix(dtype, arena.allocate(dtype.bytes() * Math.max(elements, 1), 64));
    }

    static NativeMatrix of(Arena arena, MatrixView from) {
        NativeMatrix matrix = allocate(arena, from.elements().dtype(), (long) from.rows() * from.columns());
        matrix.copyFrom(from);
        return matrix;
    }

    void copyFrom(double[] numbers) {
        for (int place = 0; place < numbers.length; place++) {
            if (dtype == DType.FLOAT32) {
                memory.setAtIndex(JAVA_FLOAT, place, (float) numbers[place]);
            } else {
                memory.setAtIndex(JAVA_DOUBLE, place, numbers[place]);
            }
        }
    }

    /** Copies a matrix to the first columns. */
    void copyFrom(MatrixView from) {
        if (from.rowStride() == 1) {
            for (int column = 0; column < from.columns(); column++) {
                copyColumn(from, column);
            }
            return;
        }
        for (int first = 0; first < from.columns(); first += BLOCK) {
            int end = Math.min(first + BLOCK, from.columns());
            for (int row = 0; row < from.rows(); row++) {
                copyRow(from, row, first, end);
            }
        }
    }

    private void copyColumn(MatrixView from, int column) {
        long to = (long) column * from.rows();
        if (dtype == DType.FLOAT32) {
            MemorySegment.copy(from.elements().floats(), from.at(0, column), memory, JAVA_FLOAT, 4 * to, from.rows());
        } else {
            MemorySegment.copy(from.elements().doubles(), from.at(0, column), memory, JAVA_DOUBLE, 8 * to, from.rows());
        }
    }

    private void copyRow(MatrixView from, int row, int first, int end) {
        for (int column = first; column < end; column++) {
            long to = (long) column * from.rows() + row;
            if (dtype == DType.FLOAT32) {
                memory.setAtIndex(JAVA_FLOAT, to, from.elements().floats()[from.at(row, column)]);
            } else {
                memory.setAtIndex(JAVA_DOUBLE, to, from.elements().doubles()[from.at(row, column)]);
            }
        }
    }

    /** Copies the first columns to a matrix, as many as it has. */
    void copyTo(MatrixView to) {
        if (to.rowStride() == 1) {
            for (int column = 0; column < to.columns(); column++) {
                storeColumn(to, column);
            }
            return;
        }
        for (int first = 0; first < to.columns(); first += BLOCK) {
            int end = Math.min(first + BLOCK, to.columns());
            for (int row = 0; row < to.rows(); row++) {
                storeRow(to, row, first, end);
            }
        }
    }

    private void storeColumn(MatrixView to, int column) {
        long from = (long) column * to.rows();
        if (dtype == DType.FLOAT32) {
            MemorySegment.copy(memory, JAVA_FLOAT, 4 * from, to.elements().floats(), to.at(0, column), to.rows());
        } else {
            MemorySegment.copy(memory, JAVA_DOUBLE, 8 * from, to.elements().doubles(), to.at(0, column), to.rows());
        }
    }

    private void storeRow(MatrixView to, int row, int first, int end) {
        for (int column = first; column < end; column++) {
            long from = (long) column * to.rows() + row;
            if (dtype == DType.FLOAT32) {
                to.elements().floats()[to.at(row, column)] = memory.getAtIndex(JAVA_FLOAT, from);
            } else {
                to.elements().doubles()[to.at(row, column)] = memory.getAtIndex(JAVA_DOUBLE, from);
            }
        }
    }
}
