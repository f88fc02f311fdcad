package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * The blocks that a {@link ColumnReduction} goes through, each of which threads fold by themselves.
 *
 * @param partial a row for each block
 */
public record ColumnBlocks(ColumnReduction fold, int rows, int columns, float[] partial) {
    public static ColumnBlocks of(ColumnReduction fold, int rows, int columns, Scratch scratch) {
        Array partial = scratch.array(DType.FLOAT32, Shape.of(count(rows, columns), columns));
        return new ColumnBlocks(fold, rows, columns, (float[]) Elementwise.javaArray(partial));
    }

    static int count(int rows, int columns) {
        return Math.ceilDiv(rows, ColumnReduction.blockRows(rows, columns));
    }

    /** Whether the rows of a block are joined one by one, each as it is. */
    public static boolean joinsRows(int rows, int columns) {
        return ColumnReduction.tileRows(rows, columns) == 1;
    }

    /** Where the row of a row's block begins. */
    public int at(int row) {
        return row / ColumnReduction.blockRows(rows, columns) * columns;
    }

    /** Makes the row of a block ready for its first row; nothing where that is another one. */
    public void begin(int row) {
        if (row % ColumnReduction.blockRows(rows, columns) == 0) {
            Arrays.fill(partial, at(row), at(row) + columns, fold.nothing());
        }
    }

    /** Folds so many rows, tile by tile; the first begins a tile. */
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

    /** Folds the blocks. */
    public void finish(float[] result, int to) {
        fold.rows(partial, 0, count(rows, columns), columns, result, to);
    }
}
