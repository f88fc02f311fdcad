package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.reduce.ColumnBlocks;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import java.util.Arrays;

/** Where the places of a {@link RowProgram} lie for the rows that one thread is at. */
final class RowPlaces {
    /**
     * The data that all threads share.
     *
     * @param accesses of the loads
     * @param results float arrays, byte arrays of those that are bools, long arrays of those that are places
     * @param footers where rows are folded
     * @param totals where a number of each row goes that is a part of a total
     */
    record Data(RowAccess[] accesses, Object[] results, ColumnBlocks[] footers, float[][] totals) {}

    private final RowProgram program;
    private final Data data;
    private final TilePool pool;
    /** The tiles in which operands that do not lie as a tile does are gathered. */
    private final float[][] gathered;

    private final float[][] wide;
    private final float[][] narrow;
    private final int height;
    private int row;
    private int count;

    /** @param height rows of a tile */
    RowPlaces(RowProgram program, Data data, int height, TilePool pool) {
        this.program = program;
        this.data = data;
        this.height = height;
        this.pool = pool;
        this.gathered = new float[data.accesses().length][];
        this.wide = new float[program.wideTiles()][];
        this.narrow = new float[program.narrowTiles()][];
        Arrays.setAll(wide, _ -> tile());
        Arrays.setAll(narrow, _ -> pool.take());
        for (int load = 0; load < gathered.length; load++) {
            RowAccess access = data.accesses()[load];
            if (!access.isDense()) {
                gathered[load] = program.loads().get(load).isWide() ? tile() : pool.take();
                if (access.isSame()) {
                    access.gather(0, height, gathered[load]);
                }
            }
        }
    }

    /** Rows that are longer than the pool's tiles have tiles of their own. */
    private float[] tile() {
        int length = height * program.columns();
        return length <= pool.length() ? pool.take() : new float[length];
    }

    /** Gives its tiles back. */
    void close() {
        pool.give(wide);
        pool.give(narrow);
        pool.give(gathered);
    }

    /** Goes on to some other rows, at most as many as a tile has. */
    void moveTo(int row, int count) {
        this.row = row;
        this.count = count;
        for (int load = 0; load < gathered.length; load++) {
            if (gathered[load] != null && !data.accesses()[load].isSame()) {
                data.accesses()[load].gather(row, count, gathered[load]);
            }
        }
    }

    /** The first row. */
    int row() {
        return row;
    }

    /** How many rows. */
    int count() {
        return count;
    }

    /** How many elements a place has of these rows. */
    int elements(boolean isWide) {
        return isWide ? count * program.columns() : count;
    }

    Object result(int index) {
        return data.results()[index];
    }

    ColumnBlocks footer(int index) {
        return data.footers()[index];
    }

    /** An array that is the same for all rows. */
    float[] array(Place place) {
        int index = place.index();
        return switch (place.kind()) {
            case LOAD -> gathered[index] == null ? (float[]) data.accesses()[index].elements() : gathered[index];
            case WIDE -> wide[index];
            case NARROW -> narrow[index];
            case RESULT -> (float[]) data.results()[index];
            case TOTAL -> data.totals()[index];
            case COLUMNS -> data.footers()[index].partial();
        };
    }

    /** Where in its array a place of row 0 is, or that of the first row whichever that is; not of columns, which lie by blocks. */
    int base(Place place) {
        return place.kind() == Kind.LOAD && gathered[place.index()] == null ? data.accesses()[place.index()].at(0) : 0;
    }

    /** How much further that is for each row in front of the first. */
    int slope(Place place) {
        int index = place.index();
        return switch (place.kind()) {
            case LOAD -> gathered[index] == null ? data.accesses()[index].across() : 0;
            case WIDE, NARROW, COLUMNS -> 0;
            case RESULT -> program.stores().get(index).isWide() ? program.columns() : 1;
            case TOTAL -> 1;
        };
    }

    /** How far it is in the array of a wide place from one row to the next. */
    int step(Place place) {
        return switch (place.kind()) {
            case LOAD -> data.accesses()[place.index()].isSame() ? 0 : program.columns();
            case WIDE, RESULT -> program.columns();
            case NARROW, TOTAL -> 1;
            // Of the rows of one block; where the next one begins is looked up.
            case COLUMNS -> 0;
        };
    }
}
