package dev.outpost.runtime.engine.cpu;

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
    private static final long SHARE = 1L << 23;
    /** Multiplications that a BLAS gets through in some 50 ms; longer calls would hold up the garbage collector. */
    private static final long CALL = 1L << 31;
    /** Columns below which a BLAS does less well; rows too. */
    private static final int LEAST_SIDE = 256;
    /**
     * Cuts fall on multiples of what any of OpenBLAS' kernels takes at once, 24 and powers of 2, and what is over goes to the last. So an
     * element is summed in one order wherever the product was cut, and the cut may depend on the number of threads.
     */
    private static final int UNIT = 192;

    /** Cuts a product for the given number of threads. */
    static List<ProductPart> cut(int m, int n, int k, int threads) {
        long multiplications = (long) m * n * k;
        long wanted = Math.max(Math.min(threads, multiplications / SHARE), Math.ceilDiv(multiplications, CALL));
        int columns = pieces(n, wanted);
        int rows = pieces(m, Math.ceilDiv(wanted, columns));
        List<ProductPart> parts = new ArrayList<>(rows * columns);
        for (int down = 0; down < rows; down++) {
            int top = bound(m, rows, down);
            int height = bound(m, rows, down + 1) - top;
            for (int across = 0; across < columns; across++) {
                int left = bound(n, columns, across);
                parts.add(new ProductPart(top, left, height, bound(n, columns, across + 1) - left, k));
            }
        }
        return parts;
    }

    long multiplications() {
        return (long) m * n * k;
    }

    private static int pieces(int side, long wanted) {
        return Math.clamp(wanted, 1, Math.max(side / LEAST_SIDE, 1));
    }

    private static int bound(int side, int pieces, int piece) {
        return piece == pieces ? side : (int) ((long) (side / UNIT) * piece / pieces) * UNIT;
    }
}
