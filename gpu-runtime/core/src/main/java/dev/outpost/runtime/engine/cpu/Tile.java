package dev.outpost.runtime.engine.cpu;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a matrix product that is one call of a BLAS.
 *
 * @param row the first row of the result
 * @param column the first column of the result
 * @param m rows
 * @param n columns
 * @param k what is summed over
 */
record Tile(int row, int column, int m, int n, int k) {
    /** Multiplications that are worth a thread. */
    private static final long SHARE = 1L << 23;
    /** Sides below which a BLAS does less well. */
    private static final int LEAST_SIDE = 256;
    /** Multiplications that a BLAS gets through in some 50 ms; longer calls would hold up the garbage collector. */
    private static final long CALL = 1L << 30;

    /** Halves a product along the longer side again and again; how, depends on its sizes alone. */
    static List<Tile> cut(int m, int n, int k) {
        List<Tile> tiles = new ArrayList<>();
        new Tile(0, 0, m, n, k).cutInto(tiles);
        return tiles;
    }

    long multiplications() {
        return (long) m * n * k;
    }

    private void cutInto(List<Tile> tiles) {
        int side = Math.max(m, n);
        boolean isLong = multiplications() > SHARE && side > LEAST_SIDE || multiplications() > CALL && side > 1;
        if (!isLong) {
            tiles.add(this);
        } else if (m >= n) {
            new Tile(row, column, m / 2, n, k).cutInto(tiles);
            new Tile(row + m / 2, column, m - m / 2, n, k).cutInto(tiles);
        } else {
            new Tile(row, column, m, n / 2, k).cutInto(tiles);
            new Tile(row, column + n / 2, m, n - n / 2, k).cutInto(tiles);
        }
    }
}
