package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;

/**
 * Folds the rows of a matrix of floats into one row. The tree depends on the sizes alone: rows that fill a tile are folded
 * one after the other, then the tiles of a block, of which there are at most 64, then the blocks.
 */
final class ColumnFold {
    /** Of 4 KiB: a dozen tiles fill the nearest cache. */
    private static final int TILE = 1024;

    private static final int MOST_BLOCKS = 64;
    private static final int LEAST_ROWS = 16;

    private final TileOp join;

    private ColumnFold(TileOp join) {
        this.join = join;
    }

    /** Null where there is no code for it. */
    static ColumnFold of(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> new ColumnFold(TileOps.of(Binary.ADD).orElseThrow());
            case MAX -> new ColumnFold(TileOps.of(Binary.MAXIMUM).orElseThrow());
            case MIN -> new ColumnFold(TileOps.of(Binary.MINIMUM).orElseThrow());
            case PROD -> null;
        };
    }

    /** Rows of a tile. */
    static int tileRows(int rows, int columns) {
        return Math.clamp(TILE / columns, 1, rows);
    }

    /** Rows of a block: whole tiles. */
    static int blockRows(int rows, int columns) {
        int tile = tileRows(rows, columns);
        return Math.ceilDiv(Math.max(LEAST_ROWS, Math.ceilDiv(rows, MOST_BLOCKS)), tile) * tile;
    }

    /**
     * Folds a tile into the row of its block.
     *
     * @param first whether it is the block's first one, so that nothing is in that row yet
     * @param spare a row to work with
     */
    void tile(float[] a, int at, int rows, int columns, boolean first, float[] block, int to, float[] spare) {
        if (first) {
            rows(a, at, rows, columns, block, to);
        } else if (rows == 1) {
            join.run(block, to, a, at, block, to, columns);
        } else {
            rows(a, at, rows, columns, spare, 0);
            join.run(block, to, spare, 0, block, to, columns);
        }
    }

    /** Folds rows one after the other. */
    void rows(float[] a, int at, int rows, int columns, float[] result, int to) {
        System.arraycopy(a, at, result, to, columns);
        for (int row = 1; row < rows; row++) {
            join.run(result, to, a, at + row * columns, result, to, columns);
        }
    }
}
