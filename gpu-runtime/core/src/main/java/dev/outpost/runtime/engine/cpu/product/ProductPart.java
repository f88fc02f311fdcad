package dev.outpost.runtime.engine.cpu.product;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a matrix product that is one call of a BLAS. Each call packs its operands anew, so there are as few parts as
 * keep all threads busy: with 64 of 256×256 a product of 2048³ took 1.7 times as long as with two halves.
 *
 * @param row the first row of the result
 * @param column the first column of the result
 * @param m rows
 * @param n columns
 * @param k what is summed over
 */
record ProductPart(int row, int column, int m, int n, int k) {
    /** Multiplications that are worth a thread. */
    private static final long SHARE = 1L << 22;
    /** Multiplications that a BLAS gets through in some 50 ms; longer calls would hold up the garbage collector. */
    private static final long CALL = 1L << 31;
    /** Rows below which a BLAS does less well. */
    private static final int MIN_ROWS = 48;
    /** Columns below which a BLAS does less well. */
    private static final int MIN_COLUMNS = 64;
    /** More would pack the left operand more often than threads are common. */
    private static final int MAX_COLUMN_PIECES = 16;
    /**
     * Cuts between rows fall on multiples of what any of OpenBLAS' kernels takes at once, and what is over goes to the last.
     * So an element is summed in one order wherever the product was cut, and the cut may depend on the number of threads.
     */
    private static final int ROWS = 24;
    /**
     * Between columns no such number is known: the kernels for processors with AVX2 round differently behind any cut. So
     * these cuts depend on the shape alone, and fall on cache lines.
     */
    private static final int COLUMNS = 16;

    /** Cuts a product for the given number of threads. */
    static List<ProductPart> cut(int m, int n, int k, int threads) {
        long multiplications = (long) m * n * k;
        int columns = columnPieces(m, n, multiplications);
        long wanted = Math.max(Math.min(threads, multiplications / SHARE), Math.ceilDiv(multiplications, CALL));
        int rows = Math.clamp(Math.ceilDiv(wanted, columns), 1, Math.max(m / MIN_ROWS, 1));
        if (rows == 1 && columns == 1) {
            return List.of(new ProductPart(0, 0, m, n, k));
        }
        List<ProductPart> parts = new ArrayList<>(rows * columns);
        for (int down = 0; down < rows; down++) {
            int top = bound(m, rows, down, ROWS);
            int height = bound(m, rows, down + 1, ROWS) - top;
            for (int across = 0; across < columns; across++) {
                int left = bound(n, columns, across, COLUMNS);
                int width = bound(n, columns, across + 1, COLUMNS) - left;
                parts.add(new ProductPart(top, left, height, width, k));
            }
        }
        return parts;
    }

    long multiplications() {
        return (long) m * n * k;
    }

    /**
     * A part that is wider than high is cut into squares, of which there is a power of two so that they come out even.
     */
    private static int columnPieces(int m, int n, long multiplications) {
        long squares = Math.min(n / Math.max(m, MIN_COLUMNS), multiplications / SHARE);
        return Integer.highestOneBit(Math.clamp(squares, 1, MAX_COLUMN_PIECES));
    }

    private static int bound(int side, int pieces, int piece, int unit) {
        return piece == pieces ? side : Math.round((float) side * piece / pieces / unit) * unit;
    }
}
