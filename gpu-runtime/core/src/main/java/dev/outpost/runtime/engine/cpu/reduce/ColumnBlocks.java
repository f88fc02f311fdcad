package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * The blocks of a {@link ColumnReduction}. Threads fold each of them independently.
 *
 * @param partial one row for each block
 */
public record ColumnBlocks(ColumnReduction fold, int rows, int columns, float[] partial) {
    public static ColumnBlocks of(ColumnReduction fold, int rows, int columns, Scratch scratch) {
        Array partial = scratch.array(DType.FLOAT32, Shape.of(count(rows, columns), columns));
        return new ColumnBlocks(fold, rows, columns, (float[]) Elementwise.javaArray(partial));
    }

    static int count(int rows, int columns) {
        return Math.ceilDiv(rows, ColumnReduction.blockRows(rows, columns));
    }

    /** Returns true if the rows of a block are joined one by one, because a tile has only one row. */
    public static boolean joinsRows(int rows, int columns) {
        return ColumnReduction.tileRows(rows, columns) == 1;
    }

    /** Returns the index of the partial row to which the given row belongs. */
    public int at(int row) {
        return row / ColumnReduction.blockRows(rows, columns) * columns;
    }

    /** Initializes the partial row of a block if the given row is the first row of the block. */
    public void begin(int row) {
        if (row % ColumnReduction.blockRows(rows, columns) == 0) {
            Arrays.fill(partial, at(row), at(row) + columns, fold.nothing());
        }
    }

    /** Folds {@code count} rows tile by tile. The first row must begin a tile. */
    public void tiles(float[] a, int at, int first, int count, float[] spare) {
        int tile = ColumnReduction.tileRows(rows, columns);
        int block = ColumnReduction.blockRows(rows, columns);
        for (int done = 0; done < count; done += tile) {
            int row = first + done;
            int height = Math.min(tile, count - done);
            fold.tile(a, at + done * columns, height, columns, row % block == 0, partial, at(row), spare);
        }
    }

    /** Folds all rows of some blocks. */
    void blocks(float[] a, int at, int from, int to) {
        int block = ColumnReduction.blockRows(rows, columns);
        int first = from * block;
        tiles(a, at + first * columns, first, Math.min(to * block, rows) - first, new float[columns]);
    }

    /** Folds the partial rows to the result. */
    public void finish(float[] result, int to) {
        fold.rows(partial, 0, count(rows, columns), columns, result, to);
    }
}
