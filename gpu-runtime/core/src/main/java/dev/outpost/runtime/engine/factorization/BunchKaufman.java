package dev.outpost.runtime.engine.factorization;

import dev.outpost.types.DType;

/**
 * Factors symmetric matrices as L D Lᵀ and solves systems with the factors. Uses the diagonal pivoting of Bunch and Kaufman (1977), in
 * the form and with the roundings of LAPACK's sytf2 and sytrs for the lower triangle.
 */
final class BunchKaufman {
    /**
     * The threshold for the ratio of a diagonal element to a larger element below it: rows are exchanged if the ratio
     * is smaller.
     */
    private static final double ALPHA = (1 + Math.sqrt(17)) / 8;

    private final MatrixView a;
    private final int size;
    private final int[] exchanges;
    private final boolean isSingle;

    private BunchKaufman(MatrixView a, int[] exchanges) {
        this.a = a;
        this.exchanges = exchanges;
        size = a.rows();
        isSingle = a.elements().dtype() == DType.FLOAT32;
    }

    private double round(double value) {
        return isSingle ? (float) value : value;
    }

    /**
     * Packs the factors into the matrix, whose upper triangle becomes zeros. Returns the position, from 1, of the first zero on D's
     * diagonal, or 0 if there is none.
     */
    static int factor(MatrixView a, int[] exchanges) {
        return new BunchKaufman(a, exchanges).factor();
    }

    private int factor() {
        int zero = 0;
        for (int step = 0; step < size; ) {
            int below = largestBelow(step, step);
            double diagonal = Math.abs(a.get(step, step));
            double max = below < 0 ? 0 : Math.abs(a.get(below, step));
            if (Math.max(diagonal, max) == 0) {
                zero = zero == 0 ? step + 1 : zero;
                exchanges[step] = step + 1;
                step++;
            } else {
                step += eliminate(step, below, diagonal, max);
            }
        }
        for (int row = 0; row < size; row++) {
            for (int column = row + 1; column < size; column++) {
                a.set(row, column, 0);
            }
        }
        return zero;
    }

    /** Eliminates with the chosen block. Returns the number of rows that the block takes. */
    private int eliminate(int step, int below, double diagonal, double max) {
        int pivot = step;
        int rows = 1;
        if (diagonal < ALPHA * max) {
            double inRow = largestOf(below, step);
            if (diagonal >= ALPHA * max * (max / inRow)) {
                pivot = step;
            } else if (Math.abs(a.get(below, below)) >= ALPHA * inRow) {
                pivot = below;
            } else {
                pivot = below;
                rows = 2;
            }
        }
        exchange(step, step + rows - 1, pivot, rows);
        if (rows == 1) {
            exchanges[step] = pivot + 1;
            eliminateOne(step);
        } else {
            exchanges[step] = -(pivot + 1);
            exchanges[step + 1] = -(pivot + 1);
            eliminateTwo(step);
        }
        return rows;
    }

    /** Returns the row of the column's largest element below the diagonal, or -1. */
    private int largestBelow(int row, int column) {
        int largest = -1;
        for (int other = row + 1; other < size; other++) {
            if (largest < 0 || Math.abs(a.get(other, column)) > Math.abs(a.get(largest, column))) {
                largest = other;
            }
        }
        return largest;
    }

    /** Returns the largest element of a row of the remaining matrix, apart from the diagonal. */
    private double largestOf(int row, int step) {
        double largest = 0;
        for (int column = step; column < row; column++) {
            largest = Math.max(largest, Math.abs(a.get(row, column)));
        }
        for (int other = row + 1; other < size; other++) {
            largest = Math.max(largest, Math.abs(a.get(other, row)));
        }
        return largest;
    }

    /** Exchanges two rows and columns of the remaining matrix. */
    private void exchange(int step, int place, int pivot, int rows) {
        if (pivot == place) {
            return;
        }
        for (int row = pivot + 1; row < size; row++) {
            swap(row, place, row, pivot);
        }
        for (int between = place + 1; between < pivot; between++) {
            swap(between, place, pivot, between);
        }
        swap(place, place, pivot, pivot);
        if (rows == 2) {
            swap(place, step, pivot, step);
        }
    }

    private void swap(int row, int column, int otherRow, int otherColumn) {
        double kept = a.get(row, column);
        a.set(row, column, a.get(otherRow, otherColumn));
        a.set(otherRow, otherColumn, kept);
    }

    private void eliminateOne(int step) {
        double inverse = round(1 / a.get(step, step));
        for (int column = step + 1; column < size; column++) {
            double factor = round(-inverse * a.get(column, step));
            for (int row = column; row < size; row++) {
                a.set(row, column, round(a.get(row, column) + round(factor * a.get(row, step))));
            }
        }
        for (int row = step + 1; row < size; row++) {
            a.set(row, step, round(a.get(row, step) * inverse));
        }
    }

    private void eliminateTwo(int step) {
        double off = a.get(step + 1, step);
        double lower = round(a.get(step + 1, step + 1) / off);
        double upper = round(a.get(step, step) / off);
        double scale = round(round(1 / round(round(lower * upper) - 1)) / off);
        for (int column = step + 2; column < size; column++) {
            double first = round(scale * round(round(lower * a.get(column, step)) - a.get(column, step + 1)));
            double second = round(scale * round(round(upper * a.get(column, step + 1)) - a.get(column, step)));
            for (int row = column; row < size; row++) {
                double product = round(round(a.get(row, step) * first) + round(a.get(row, step + 1) * second));
                a.set(row, column, round(a.get(row, column) - product));
            }
            a.set(column, step, first);
            a.set(column, step + 1, second);
        }
    }

    /** Replaces the right sides by the solutions. Returns false if an exchange is out of bounds. */
    static boolean solve(MatrixView factors, int[] exchanges, MatrixView b) {
        return new BunchKaufman(factors, exchanges).solve(b);
    }

    private boolean solve(MatrixView b) {
        for (int exchange : exchanges) {
            if (exchange == 0 || Math.abs(exchange) > size) {
                return false;
            }
        }
        int step = 0;
        while (step < size) {
            boolean isPair = exchanges[step] < 0 && step + 1 < size;
            int last = isPair ? step + 1 : step;
            exchangeRows(b, last, Math.abs(exchanges[step]) - 1);
            for (int column = step; column <= last; column++) {
                for (int row = last + 1; row < size; row++) {
                    subtract(b, row, column, a.get(row, column));
                }
            }
            if (isPair) {
                divideByBlock(b, step);
            } else {
                divide(b, step);
            }
            step = last + 1;
        }
        step = size - 1;
        while (step >= 0) {
            boolean isPair = exchanges[step] < 0 && step > 0;
            int first = isPair ? step - 1 : step;
            for (int column = first; column <= step; column++) {
                for (int row = step + 1; row < size; row++) {
                    subtract(b, column, row, a.get(row, column));
                }
            }
            exchangeRows(b, step, Math.abs(exchanges[step]) - 1);
            step = first - 1;
        }
        return true;
    }

    private static void exchangeRows(MatrixView b, int row, int other) {
        for (int column = 0; row != other && column < b.columns(); column++) {
            double kept = b.get(row, column);
            b.set(row, column, b.get(other, column));
            b.set(other, column, kept);
        }
    }

    /** Subtracts a multiple of one row from another. */
    private void subtract(MatrixView b, int row, int other, double factor) {
        for (int column = 0; column < b.columns(); column++) {
            b.set(row, column, round(b.get(row, column) - round(factor * b.get(other, column))));
        }
    }

    private void divide(MatrixView b, int row) {
        double inverse = round(1 / a.get(row, row));
        for (int column = 0; column < b.columns(); column++) {
            b.set(row, column, round(b.get(row, column) * inverse));
        }
    }

    private void divideByBlock(MatrixView b, int step) {
        double off = a.get(step + 1, step);
        double upper = round(a.get(step, step) / off);
        double lower = round(a.get(step + 1, step + 1) / off);
        double denominator = round(round(upper * lower) - 1);
        for (int column = 0; column < b.columns(); column++) {
            double first = round(b.get(step, column) / off);
            double second = round(b.get(step + 1, column) / off);
            b.set(step, column, round(round(round(lower * first) - second) / denominator));
            b.set(step + 1, column, round(round(round(upper * second) - first) / denominator));
        }
    }
}
