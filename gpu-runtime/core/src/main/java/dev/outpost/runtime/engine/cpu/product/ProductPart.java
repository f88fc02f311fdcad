package dev.outpost.runtime.engine.cpu.product;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a matrix product that is computed by one BLAS call. Each call packs its operands again, so there are only as many parts as keep
 * all threads busy. With 64 parts of 256×256, a product of 2048³ took 1.7 times as long as with two halves.
 *
 * @param row the first row of the result
 * @param column the first column of the result
 * @param m the number of rows
 * @param n the number of columns
 * @param k the number of terms of each sum
 */
record ProductPart(int row, int column, int m, int n, int k) {
    /** The number of multiplications that justifies a separate thread. */
    private static final long SHARE = 1L << 22;
    /** The number of multiplications that takes a BLAS about 50 ms. Longer calls would delay the garbage collector. */
    private static final long CALL = 1L << 31;
    /** The number of rows below which a BLAS is slower. */
    private static final int MIN_ROWS = 48;
    /** The number of columns below which a BLAS is slower. */
    private static final int MIN_COLUMNS = 64;
    /**
     * The maximum number of pieces of columns. With more pieces the left operand would be packed too often, and
     * few machines have more threads.
     */
    private static final int MAX_COLUMN_PIECES = 16;
    /**
     * Row cuts are at multiples of this number, which is a multiple of the rows that any OpenBLAS kernel takes at once. The last part takes
     * the remainder. So the order of each sum does not depend on the cuts, and they may depend on the number of threads.
     */
    private static final int ROWS = 24;
    /**
     * Column cuts are at multiples of this number, which is a cache line. A cut between columns may change the bits,
     * because the kernels for AVX2 round differently after any cut. So these cuts depend only on the shape.
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
     * Returns the number of pieces of a part that is wider than high. Pieces are roughly square, and their number is a power of two so
     * that they have equal sizes.
     */
    private static int columnPieces(int m, int n, long multiplications) {
        long squares = Math.min(n / Math.max(m, MIN_COLUMNS), multiplications / SHARE);
        return Integer.highestOneBit(Math.clamp(squares, 1, MAX_COLUMN_PIECES));
    }

    private static int bound(int side, int pieces, int piece, int unit) {
        return piece == pieces ? side : Math.round((float) side * piece / pieces / unit) * unit;
    }
}
