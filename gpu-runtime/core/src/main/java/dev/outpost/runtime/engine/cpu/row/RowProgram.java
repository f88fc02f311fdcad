package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.reduce.ColumnReduction;
import dev.outpost.runtime.engine.cpu.tile.NumberOp;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * The code of {@link dev.outpost.runtime.engine.FusedRows}: a sequence of operations on tiles of a few whole rows.
 * Intermediate values never leave the nearest cache. A bool in a tile is 1 or 0.
 *
 * @param wideTiles the number of temporary tiles with a number for each element
 * @param narrowTiles the number of temporary tiles with a number for each row
 */
record RowProgram(
        int rows,
        int columns,
        List<Load> loads,
        List<Stage> stages,
        List<Store> stores,
        List<Footer> footers,
        List<Total> totals,
        int wideTiles,
        int narrowTiles) {

    /** The kind of a place. A wide place has all elements of the rows, a narrow one has one number for each row. */
    enum Kind {
        LOAD,
        WIDE,
        NARROW,
        RESULT,
        /** An array with one number for each row of the matrix. The numbers are folded to a total afterwards. */
        TOTAL,
        /** The row into which the rows of a block are folded. */
        COLUMNS
    }

    record Place(Kind kind, int index) {
        @Override
        public String toString() {
            return switch (kind) {
                        case LOAD -> "load";
                        case WIDE -> "tile";
                        case NARROW -> "numbers";
                        case RESULT -> "out";
                        case TOTAL -> "total";
                        case COLUMNS -> "columns";
                    }
                    + index;
        }
    }

    /** An operand from outside: its source, the shape to which it broadcasts, and whether that is wide or narrow. */
    record Load(int source, Shape shape, boolean isWide) {}

    /** A result of the program. */
    record Store(boolean isWide) {}

    /** A result with one number for each column. */
    record Footer(ColumnReduction fold, int result) {}

    /** A result of one number, which is folded from the numbers of all rows. */
    record Total(RowReduction fold, int result) {}

    /** One operation. */
    sealed interface Stage {
        /** Computes element by element. For an op with one operand both sources are the same. */
        record Apply(String name, TileOp op, Place first, Place second, Place target, boolean isWide)
                implements Stage {}

        /** Combines each row with its number. */
        record WithNumber(String name, NumberOp op, Place first, Place number, Place target) implements Stage {}

        record Choose(Place condition, Place first, Place second, Place target, boolean isWide) implements Stage {}

        /** Repeats the value of each row over its columns. */
        record Spread(Place source, Place target) implements Stage {}

        /** Folds each row to a number, which may be a part of a total. */
        record Fold(String name, RowReduction fold, Place source, Place target) implements Stage {}

        /** Folds all rows to one row, which is a result. */
        record Columns(String name, Place source, int fold) implements Stage {}

        /** Stores the index of the largest or smallest element of each row in a result. */
        record Find(String name, ArgReduce.Fn fn, Place source, int result) implements Stage {}

        /** Stores a tile in a result of bools. */
        record Flags(Place source, int result, boolean isWide) implements Stage {}
    }
}
