package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.memory.Array;

/**
 * The blocks that a {@link ColumnFold} goes through, each of which threads fold by themselves.
 *
 * @param partial a row for each block
 */
record ColumnBlocks(ColumnFold fold, int rows, int columns, float[] partial) {
    static ColumnBlocks of(ColumnFold fold, int rows, int columns, Scratch scratch) {
        Array partial = scratch.array(DType.FLOAT32, Shape.of(count(rows, columns), columns));
        return new ColumnBlocks(fold, rows, columns, (float[]) Elementwise.javaArray(partial));
    }

    static int count(int rows, int columns) {
        return Math.ceilDiv(rows, ColumnFold.blockRows(rows, columns));
    }

    /** Folds a tile that begins at that row. */
    void tile(float[] a, int at, int row, int count, float[] spare) {
        int block = ColumnFold.blockRows(rows, columns);
        fold.tile(a, at, count, columns, row % block == 0, partial, row / block * columns, spare);
    }

    /** Folds all rows of some blocks. */
    void blocks(float[] a, int at, int from, int to) {
        int tile = ColumnFold.tileRows(rows, columns);
        int block = ColumnFold.blockRows(rows, columns);
        float[] spare = new float[columns];
        for (int row = from * block; row < Math.min(to * block, rows); row += tile) {
            tile(a, at + row * columns, row, Math.min(tile, rows - row), spare);
        }
    }

    /** Folds the blocks. */
    void finish(float[] result, int to) {
        fold.rows(partial, 0, count(rows, columns), columns, result, to);
    }
}
