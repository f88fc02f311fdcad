package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.reduce.ColumnBlocks;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import java.util.Arrays;

/** The locations of the places of a {@link RowProgram}, for a thread's current rows. */
final class RowPlaces {
    /**
     * The data that all threads share.
     *
     * @param accesses the accesses of the loads
     * @param results float arrays, byte arrays for bools, and long arrays for indices
     * @param footers the blocks of the column reductions
     * @param totals for each reduction to a total, one number for each row
     */
    record Data(RowAccess[] accesses, Object[] results, ColumnBlocks[] footers, float[][] totals) {}

    private final RowProgram program;
    private final Data data;
    private final TilePool pool;
    /** The tiles for operands that have another layout than a tile, so that their elements have to be gathered. */
    private final float[][] gathered;

    private final float[][] wide;
    private final float[][] narrow;
    private final int height;
    private int row;
    private int count;

    /** @param height the number of rows in a tile */
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

    /** Takes a tile from the pool, or allocates one if the rows are longer than the pool's tiles. */
    private float[] tile() {
        int length = height * program.columns();
        return length <= pool.length() ? pool.take() : new float[length];
    }

    /** Returns the tiles to the pool. */
    void close() {
        pool.give(wide);
        pool.give(narrow);
        pool.give(gathered);
    }

    /** Selects other rows, at most as many as a tile has. */
    void moveTo(int row, int count) {
        this.row = row;
        this.count = count;
        for (int load = 0; load < gathered.length; load++) {
            if (gathered[load] != null && !data.accesses()[load].isSame()) {
                data.accesses()[load].gather(row, count, gathered[load]);
            }
        }
    }

    /** Returns the number of the first row. */
    int row() {
        return row;
    }

    /** Returns the number of rows. */
    int count() {
        return count;
    }

    /**
     * Returns the number of elements that a place has in these rows: rows times columns if it is wide, otherwise one
     * for each row.
     */
    int elements(boolean isWide) {
        return isWide ? count * program.columns() : count;
    }

    Object result(int index) {
        return data.results()[index];
    }

    ColumnBlocks footer(int index) {
        return data.footers()[index];
    }

    /** Returns the array of a place, which is the same for all rows. */
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

    /**
     * Returns the index of row 0 in the place's array. For tiles, returns the index of the thread's first row. Not
     * valid for columns, which are indexed by block.
     */
    int base(Place place) {
        return place.kind() == Kind.LOAD && gathered[place.index()] == null ? data.accesses()[place.index()].at(0) : 0;
    }

    /** Returns the amount by which the index grows for each row before the thread's first row. */
    int slope(Place place) {
        int index = place.index();
        return switch (place.kind()) {
            case LOAD -> gathered[index] == null ? data.accesses()[index].across() : 0;
            case WIDE, NARROW, COLUMNS -> 0;
            case RESULT -> program.stores().get(index).isWide() ? program.columns() : 1;
            case TOTAL -> 1;
        };
    }

    /** Returns the distance from one row to the next in the place's array. */
    int step(Place place) {
        return switch (place.kind()) {
            case LOAD -> data.accesses()[place.index()].isSame() ? 0 : program.columns();
            case WIDE, RESULT -> program.columns();
            case NARROW, TOTAL -> 1;
            // All rows of a block share one row. The index of the next block is looked up.
            case COLUMNS -> 0;
        };
    }
}
