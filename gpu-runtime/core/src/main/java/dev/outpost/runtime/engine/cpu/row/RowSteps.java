package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.order.ArgReductions;
import dev.outpost.runtime.engine.cpu.reduce.ColumnBlocks;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.tile.BoolTiles;
import dev.outpost.runtime.engine.cpu.tile.NumberOp;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.runtime.engine.cpu.tile.TileSelect;
import java.util.Arrays;
import java.util.List;

/**
 * The single stages of a {@link RowProgram} for a thread's current rows. The kind of a stage and its arrays are looked up once, because a
 * stage that computes only a number for each of a few rows takes less time than the lookup.
 */
final class RowSteps {
    /** Runs one stage for the thread's current rows. */
    @FunctionalInterface
    interface Step {
        void run();
    }

    private final int columns;
    private final RowPlaces places;
    private final float[][] room = RowReduction.room();
    private final float[] spare;

    RowSteps(RowProgram program, RowPlaces places) {
        this.columns = program.columns();
        this.places = places;
        this.spare = new float[program.footers().isEmpty() ? 0 : columns];
    }

    /** The location of a place for the thread's current rows. */
    private final class Spot {
        private final float[] array;
        private final int base;
        private final int slope;

        Spot(Place place) {
            array = places.array(place);
            base = places.base(place);
            slope = places.slope(place);
        }

        float[] array() {
            return array;
        }

        int at() {
            return base + places.row() * slope;
        }
    }

    Step[] of(List<Stage> stages) {
        Step[] all = new Step[stages.size()];
        for (int number = 0; number < all.length; number++) {
            all[number] = of(stages.get(number));
        }
        return all;
    }

    Step of(Stage stage) {
        return switch (stage) {
            case Stage.Apply s ->
                apply(s.op(), new Spot(s.first()), new Spot(s.second()), new Spot(s.target()), s.isWide());
            case Stage.Choose s ->
                choose(
                        new Spot(s.condition()),
                        new Spot(s.first()),
                        new Spot(s.second()),
                        new Spot(s.target()),
                        s.isWide());
            case Stage.WithNumber s ->
                withNumber(s.op(), new Spot(s.first()), new Spot(s.number()), new Spot(s.target()));
            case Stage.Spread s -> spread(new Spot(s.source()), new Spot(s.target()));
            case Stage.Fold s -> fold(s.fold(), new Spot(s.source()), new Spot(s.target()));
            case Stage.Columns s -> columns(places.footer(s.fold()), new Spot(s.source()));
            case Stage.Find s -> find(s, new Spot(s.source()));
            case Stage.Flags s -> flags(s, new Spot(s.source()));
        };
    }

    private Step apply(TileOp op, Spot first, Spot second, Spot target, boolean isWide) {
        return () -> op.run(
                first.array(),
                first.at(),
                second.array(),
                second.at(),
                target.array(),
                target.at(),
                places.elements(isWide));
    }

    private Step choose(Spot condition, Spot first, Spot second, Spot target, boolean isWide) {
        return () -> TileSelect.run(
                condition.array(),
                condition.at(),
                first.array(),
                first.at(),
                second.array(),
                second.at(),
                target.array(),
                target.at(),
                places.elements(isWide));
    }

    private Step withNumber(NumberOp op, Spot first, Spot number, Spot target) {
        return () -> {
            int from = first.at();
            int numbers = number.at();
            int to = target.at();
            for (int next = 0; next < places.count(); next++) {
                int skipped = next * columns;
                op.run(
                        first.array(),
                        from + skipped,
                        number.array()[numbers + next],
                        target.array(),
                        to + skipped,
                        columns);
            }
        };
    }

    private Step spread(Spot source, Spot target) {
        return () -> {
            int from = source.at();
            int to = target.at();
            for (int next = 0; next < places.count(); next++) {
                Arrays.fill(
                        target.array(), to + next * columns, to + (next + 1) * columns, source.array()[from + next]);
            }
        };
    }

    private Step fold(RowReduction fold, Spot source, Spot target) {
        return () ->
                fold.foldRows(source.array(), source.at(), columns, places.count(), target.array(), target.at(), room);
    }

    private Step columns(ColumnBlocks footer, Spot source) {
        return () -> footer.tiles(source.array(), source.at(), places.row(), places.count(), spare);
    }

    private Step find(Stage.Find stage, Spot source) {
        long[] target = (long[]) places.result(stage.result());
        long[] keys = new long[columns];
        return () -> {
            int from = source.at();
            for (int next = 0; next < places.count(); next++) {
                target[places.row() + next] =
                        ArgReductions.best(stage.fn(), source.array(), from + next * columns, keys);
            }
        };
    }

    private Step flags(Stage.Flags stage, Spot source) {
        byte[] target = (byte[]) places.result(stage.result());
        int across = stage.isWide() ? columns : 1;
        return () -> BoolTiles.write(
                source.array(), source.at(), target, places.row() * across, places.elements(stage.isWide()));
    }
}
