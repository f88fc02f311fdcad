package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;

/**
 * Folds the rows of a matrix of floats into one row. The tree depends only on the sizes: first the rows of each tile are folded one after
 * the other, then the tiles of each block (at most 64 blocks), then the blocks.
 */
public final class ColumnReduction {
    /** The number of elements in a tile of 4 KiB. A dozen tiles fill the nearest cache. */
    private static final int TILE = 1024;

    private static final int MAX_BLOCKS = 64;
    private static final int MIN_ROWS = 16;

    private final RowReduction fold;
    private final TileOp join;

    private ColumnReduction(RowReduction fold, Binary join) {
        this.fold = fold;
        this.join = TileOps.of(join).orElseThrow();
    }

    /** Returns the reduction for a function; null if it has none. */
    public static ColumnReduction of(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> new ColumnReduction(RowReduction.of(fn), Binary.ADD);
            case MAX -> new ColumnReduction(RowReduction.of(fn), Binary.MAXIMUM);
            case MIN -> new ColumnReduction(RowReduction.of(fn), Binary.MINIMUM);
            case PROD -> null;
        };
    }

    /** Returns the step that joins a row to the row of its block. */
    public VectorStep step() {
        return fold.step();
    }

    /** Returns the exact neutral element. */
    float nothing() {
        return fold.nothing();
    }

    /** Returns the number of rows in a tile. */
    public static int tileRows(int rows, int columns) {
        return Math.clamp(TILE / columns, 1, rows);
    }

    /** Returns the number of rows in a block, which is a multiple of the number of rows in a tile. */
    public static int blockRows(int rows, int columns) {
        int tile = tileRows(rows, columns);
        return Math.ceilDiv(Math.max(MIN_ROWS, Math.ceilDiv(rows, MAX_BLOCKS)), tile) * tile;
    }

    /**
     * Folds a tile into the row of its block.
     *
     * @param first true for the first tile of the block, whose row has no content yet
     * @param spare a row of working space
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
