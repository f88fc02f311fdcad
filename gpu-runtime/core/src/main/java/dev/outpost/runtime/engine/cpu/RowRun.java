package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.cpu.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.RowProgram.Store;
import java.util.Arrays;
import java.util.List;

/** One thread's part of a {@link RowLoop}. */
final class RowRun {
    /**
     * What it goes through.
     *
     * @param accesses of the loads
     * @param results float arrays, byte arrays of those that are bools, long arrays of those that are places
     * @param footers where rows are folded
     * @param totals where a number of each row goes that is a part of a total
     */
    record Data(RowAccess[] accesses, Object[] results, ColumnBlocks[] footers, float[][] totals) {}

    private final RowProgram program;
    private final List<ChainCutter.Piece<Stage, Place>> pieces;
    private final RowAccess[] accesses;
    private final Object[] results;
    private final ColumnBlocks[] footers;
    private final float[][] totals;
    private final int height;
    private final TilePool pool;
    /** What operands that do not lie as a tile does are gathered in. */
    private final float[][] gathered;

    private final float[][] wide;
    private final float[][] narrow;
    private final float[] lanes = new float[RowFold.LANES];
    private final float[] spare;
    private int row;
    private int count;

    /** @param pieces the stages of the program */
    RowRun(RowProgram program, List<ChainCutter.Piece<Stage, Place>> pieces, Data data, int height, TilePool pool) {
        this.program = program;
        this.pieces = pieces;
        this.accesses = data.accesses();
        this.results = data.results();
        this.footers = data.footers();
        this.totals = data.totals();
        this.height = height;
        this.pool = pool;
        this.gathered = new float[accesses.length][];
        this.spare = new float[footers.length == 0 ? 0 : program.columns()];
        this.wide = new float[program.wideTiles()][];
        this.narrow = new float[program.narrowTiles()][];
    }

    void run(int from, int to) {
        Arrays.setAll(wide, index -> tile());
        Arrays.setAll(narrow, index -> pool.take());
        for (int load = 0; load < accesses.length; load++) {
            if (!accesses[load].isDense()) {
                gathered[load] = program.loads().get(load).isWide() ? tile() : pool.take();
                if (accesses[load].isSame()) {
                    accesses[load].gather(0, Math.min(height, to - from), gathered[load]);
                }
            }
        }
        List<Part> parts = pieces.stream().map(Part::new).toList();
        for (row = from; row < to; row += height) {
            count = Math.min(height, to - row);
            rows(parts);
        }
        pool.give(wide);
        pool.give(narrow);
        pool.give(gathered);
    }

    /** Rows that are longer than the pool's tiles have tiles of their own. */
    private float[] tile() {
        int length = height * program.columns();
        return length <= pool.length() ? pool.take() : new float[length];
    }

    private void rows(List<Part> parts) {
        for (int load = 0; load < accesses.length; load++) {
            if (gathered[load] != null && !accesses[load].isSame()) {
                accesses[load].gather(row, count, gathered[load]);
            }
        }
        for (Part part : parts) {
            part.compute();
        }
    }

    /** A piece and what its loop is given, of which nothing but the places and numbers is another from tile to tile. */
    private final class Part {
        private final ChainCutter.Piece<Stage, Place> piece;
        private final float[][] arrays;
        private final int[] offsets;
        private final float[] numbers;

        Part(ChainCutter.Piece<Stage, Place> piece) {
            this.piece = piece;
            this.arrays = piece.arrays().stream().map(RowRun.this::array).toArray(float[][]::new);
            this.offsets = new int[arrays.length];
            this.numbers = new float[piece.numbers().size()];
        }

        void compute() {
            ChainLoop together = piece.loop();
            if (together != null) {
                run(together);
                return;
            }
            for (Stage stage : piece.stages()) {
                RowRun.this.compute(stage);
            }
            piece.missed(elements(true));
        }

        /** Row by row where each has numbers of its own. */
        private void run(ChainLoop loop) {
            for (int place = 0; place < offsets.length; place++) {
                offsets[place] = at(piece.arrays().get(place));
            }
            if (numbers.length == 0) {
                loop.run(arrays, offsets, numbers, elements(true));
                return;
            }
            for (int next = 0; next < count; next++) {
                for (int number = 0; number < numbers.length; number++) {
                    Place place = piece.numbers().get(number);
                    numbers[number] = array(place)[at(place) + next];
                }
                loop.run(arrays, offsets, numbers, program.columns());
                for (int place = 0; place < offsets.length; place++) {
                    offsets[place] += program.columns();
                }
            }
        }
    }

    private void compute(Stage stage) {
        switch (stage) {
            case Stage.Apply s ->
                s.op().run(
                                array(s.first()),
                                at(s.first()),
                                array(s.second()),
                                at(s.second()),
                                array(s.target()),
                                at(s.target()),
                                elements(s.isWide()));
            case Stage.Choose s ->
                TileChoice.run(
                        array(s.condition()),
                        at(s.condition()),
                        array(s.first()),
                        at(s.first()),
                        array(s.second()),
                        at(s.second()),
                        array(s.target()),
                        at(s.target()),
                        elements(s.isWide()));
            case Stage.WithNumber s -> withNumber(s);
            case Stage.Spread s -> spread(s);
            case Stage.Fold s -> fold(s.fold(), s.source(), array(s.target()), at(s.target()));
            case Stage.ToTotal s -> fold(program.totals().get(s.total()).fold(), s.source(), totals[s.total()], row);
            case Stage.Columns s -> footers[s.fold()].tiles(array(s.source()), at(s.source()), row, count, spare);
            case Stage.Find s -> find(s);
            case Stage.Flags s -> flags(s);
        }
    }

    private int elements(boolean isWide) {
        return isWide ? count * program.columns() : count;
    }

    private void withNumber(Stage.WithNumber stage) {
        int columns = program.columns();
        float[] first = array(stage.first());
        float[] numbers = array(stage.number());
        float[] target = array(stage.target());
        int from = at(stage.first());
        int number = at(stage.number());
        int to = at(stage.target());
        for (int next = 0; next < count; next++) {
            int skipped = next * columns;
            stage.op().run(first, from + skipped, numbers[number + next], target, to + skipped, columns);
        }
    }

    private void spread(Stage.Spread stage) {
        int columns = program.columns();
        float[] source = array(stage.source());
        float[] target = array(stage.target());
        int from = at(stage.source());
        int to = at(stage.target());
        for (int next = 0; next < count; next++) {
            Arrays.fill(target, to + next * columns, to + (next + 1) * columns, source[from + next]);
        }
    }

    private void fold(RowFold fold, Place rows, float[] target, int to) {
        int columns = program.columns();
        float[] source = array(rows);
        int from = at(rows);
        for (int next = 0; next < count; next++) {
            target[to + next] = fold.fold(source, from + next * columns, columns, lanes);
        }
    }

    private void find(Stage.Find stage) {
        float[] source = array(stage.source());
        int from = at(stage.source());
        long[] target = (long[]) results[stage.result()];
        long[] keys = new long[program.columns()];
        for (int next = 0; next < count; next++) {
            target[row + next] = ArgReductions.best(stage.fn(), source, from + next * keys.length, keys);
        }
    }

    private void flags(Stage.Flags stage) {
        float[] source = array(stage.source());
        int from = at(stage.source());
        byte[] target = (byte[]) results[stage.result()];
        int to = stage.isWide() ? row * program.columns() : row;
        BoolTiles.write(source, from, target, to, elements(stage.isWide()));
    }

    private float[] array(Place place) {
        int index = place.index();
        return switch (place.kind()) {
            case LOAD -> gathered[index] == null ? (float[]) accesses[index].elements() : gathered[index];
            case WIDE -> wide[index];
            case NARROW -> narrow[index];
            case RESULT -> (float[]) results[index];
        };
    }

    private int at(Place place) {
        int index = place.index();
        return switch (place.kind()) {
            case LOAD -> gathered[index] == null ? accesses[index].at(row) : 0;
            case WIDE, NARROW -> 0;
            case RESULT -> at(program.stores().get(index));
        };
    }

    private int at(Store store) {
        return store.isWide() ? row * program.columns() : row;
    }
}
