package dev.outpost.runtime.engine.factorization;

import dev.outpost.runtime.memory.HeapBuffer;

/**
 * One matrix within a buffer, without a copy.
 *
 * @param elements the buffer
 * @param offset the index of its first element
 * @param rowStride the distance from one row to the next
 * @param columnStride the distance from one column to the next
 */
public record MatrixView(HeapBuffer elements, int offset, int rows, int columns, int rowStride, int columnStride) {

    public double get(int row, int column) {
        return elements.getDouble(at(row, column));
    }

    public void set(int row, int column, double value) {
        elements.setDouble(at(row, column), value);
    }

    /** Returns the index of an element in the buffer. */
    public int at(int row, int column) {
        return offset + row * rowStride + column * columnStride;
    }

    /** Returns the transposed view. */
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

    /** Returns true if all elements on and below the diagonal are finite. */
    boolean isFiniteBelow() {
        return firstNotFiniteBelow() == rows;
    }

    /** Returns the first row with an element on or left of the diagonal that is not finite; the number of rows if there is none. */
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

    /** Returns a copy by rows. */
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
