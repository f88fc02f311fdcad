package dev.outpost.runtime.engine.factorization;

import dev.outpost.runtime.memory.HeapBuffer;

/**
 * One matrix where it lies.
 *
 * @param elements the buffer
 * @param offset where its first element is
 * @param rowStride from one row to the next
 * @param columnStride from one column to the next
 */
public record MatrixView(HeapBuffer elements, int offset, int rows, int columns, int rowStride, int columnStride) {

    public double get(int row, int column) {
        return elements.getDouble(at(row, column));
    }

    public void set(int row, int column, double value) {
        elements.setDouble(at(row, column), value);
    }

    /** Where an element is in the buffer. */
    public int at(int row, int column) {
        return offset + row * rowStride + column * columnStride;
    }

    /** With rows and columns exchanged. */
    public MatrixView transposed() {
        return new MatrixView(elements, offset, columns, rows, columnStride, rowStride);
    }

    boolean isFinite() {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                if (!Double.isFinite(get(row, column))) {
                    return false;
                }
            }
        }
        return true;
    }

    public MatrixView firstColumns(int count) {
        return new MatrixView(elements, offset, rows, count, rowStride, columnStride);
    }

    /** Whether what is on the diagonal and below it is. */
    boolean isFiniteBelow() {
        return firstNotFiniteBelow() == rows;
    }

    /** The first row with something on the diagonal, or left of it, that is not finite; the number of rows if none has. */
    int firstNotFiniteBelow() {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column <= row; column++) {
                if (!Double.isFinite(get(row, column))) {
                    return row;
                }
            }
        }
        return rows;
    }

    void fill(double value) {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                set(row, column, value);
            }
        }
    }

    /** A copy, row by row. */
    double[][] toRows() {
        double[][] copy = new double[rows][columns];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                copy[row][column] = get(row, column);
            }
        }
        return copy;
    }

    void set(double[][] from) {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                set(row, column, from[row][column]);
            }
        }
    }
}
