package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.reduce.ColumnReduction;
import dev.outpost.runtime.engine.cpu.tile.NumberOp;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * {@link dev.outpost.runtime.engine.FusedRows} as operations on tiles of a few whole rows, one after the other: what lies
 * between two of them never leaves the nearest cache. A bool in a tile is 1 or 0.
 *
 * @param wideTiles how many tiles of a number for each element it works with
 * @param narrowTiles how many tiles of a number for each row
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

    /** Where a tile is found; wide ones are all rows' elements, narrow ones a number for each row. */
    enum Kind {
        LOAD,
        WIDE,
        NARROW,
        RESULT,
        /** Of all rows: where a number of each is a part of a total. */
        TOTAL,
        /** The rows that those of a block are folded to. */
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

    /** An operand from outside as the rows see it: what it is broadcast to, which is wide or narrow. */
    record Load(int source, Shape shape, boolean isWide) {}

    /** A result. */
    record Store(boolean isWide) {}

    /** A result of one number a column. */
    record Footer(ColumnReduction fold, int result) {}

    /** A result of one number, which the numbers of all rows come to. */
    record Total(RowReduction fold, int result) {}

    /** One operation; a name is what people call it. */
    sealed interface Stage {
        /** Element by element; the second source is the first where there is none. */
        record Apply(String name, TileOp op, Place first, Place second, Place target, boolean isWide)
                implements Stage {}

        /** Each row and its number. */
        record WithNumber(String name, NumberOp op, Place first, Place number, Place target) implements Stage {}

        record Choose(Place condition, Place first, Place second, Place target, boolean isWide) implements Stage {}

        /** Each row's number all along the row. */
        record Spread(Place source, Place target) implements Stage {}

        /** Each row to a number, maybe of a total. */
        record Fold(String name, RowReduction fold, Place source, Place target) implements Stage {}

        /** All rows to one, which is a result. */
        record Columns(String name, Place source, int fold) implements Stage {}

        /** Where in each row the largest or smallest element is, to a result. */
        record Find(String name, ArgReduce.Fn fn, Place source, int result) implements Stage {}

        /** A tile to a result of bools. */
        record Flags(Place source, int result, boolean isWide) implements Stage {}
    }
}
