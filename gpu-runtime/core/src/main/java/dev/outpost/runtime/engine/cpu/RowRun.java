package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.cpu.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.RowProgram.Stage;
import java.util.Arrays;
import java.util.List;

/** One thread's share of a {@link RowLoop}. */
final class RowRun implements Workers.Share {
    private final RowProgram program;
    private final int height;
    private final RowPlaces places;
    private final List<RowPart> parts;
    private final float[][] room = RowFold.room();
    private final float[] spare;

    /**
     * Takes tiles.
     *
     * @param pieces the stages of the program
     * @param height rows of a tile
     * @param pool of tiles that hold as many rows of the usual length
     */
    RowRun(
            RowProgram program,
            List<ChainCutter.Piece<Stage, Place>> pieces,
            RowPlaces.Data data,
            int height,
            TilePool pool) {
        this.program = program;
        this.height = height;
        this.places = new RowPlaces(program, data, height, pool);
        this.parts = pieces.stream()
                .map(piece -> new RowPart(piece, places, program.columns()))
                .toList();
        this.spare = new float[program.footers().isEmpty() ? 0 : program.columns()];
    }

    @Override
    public void run(int from, int to) {
        for (int row = from; row < to; row += height) {
            places.moveTo(row, Math.min(height, to - row));
            rows();
        }
    }

    @Override
    public void close() {
        places.close();
    }

    private void rows() {
        for (RowPart part : parts) {
            if (!part.run()) {
                part.stages().forEach(this::compute);
            }
        }
    }

    private void compute(Stage stage) {
        switch (stage) {
            case Stage.Apply s ->
                s.op().run(
                                places.array(s.first()),
                                places.at(s.first()),
                                places.array(s.second()),
                                places.at(s.second()),
                                places.array(s.target()),
                                places.at(s.target()),
                                places.elements(s.isWide()));
            case Stage.Choose s ->
                TileChoice.run(
                        places.array(s.condition()),
                        places.at(s.condition()),
                        places.array(s.first()),
                        places.at(s.first()),
                        places.array(s.second()),
                        places.at(s.second()),
                        places.array(s.target()),
                        places.at(s.target()),
                        places.elements(s.isWide()));
            case Stage.WithNumber s -> withNumber(s);
            case Stage.Spread s -> spread(s);
            case Stage.Fold s -> fold(s);
            case Stage.Columns s ->
                places.footer(s.fold())
                        .tiles(places.array(s.source()), places.at(s.source()), places.row(), places.count(), spare);
            case Stage.Find s -> find(s);
            case Stage.Flags s -> flags(s);
        }
    }

    private void withNumber(Stage.WithNumber stage) {
        int columns = program.columns();
        float[] first = places.array(stage.first());
        float[] numbers = places.array(stage.number());
        float[] target = places.array(stage.target());
        int from = places.at(stage.first());
        int number = places.at(stage.number());
        int to = places.at(stage.target());
        for (int next = 0; next < places.count(); next++) {
            int skipped = next * columns;
            stage.op().run(first, from + skipped, numbers[number + next], target, to + skipped, columns);
        }
    }

    private void spread(Stage.Spread stage) {
        int columns = program.columns();
        float[] source = places.array(stage.source());
        float[] target = places.array(stage.target());
        int from = places.at(stage.source());
        int to = places.at(stage.target());
        for (int next = 0; next < places.count(); next++) {
            Arrays.fill(target, to + next * columns, to + (next + 1) * columns, source[from + next]);
        }
    }

    private void fold(Stage.Fold stage) {
        int columns = program.columns();
        float[] source = places.array(stage.source());
        float[] target = places.array(stage.target());
        int from = places.at(stage.source());
        int to = places.at(stage.target());
        stage.fold().foldRows(source, from, columns, places.count(), target, to, room);
    }

    private void find(Stage.Find stage) {
        float[] source = places.array(stage.source());
        int from = places.at(stage.source());
        long[] target = (long[]) places.result(stage.result());
        long[] keys = new long[program.columns()];
        for (int next = 0; next < places.count(); next++) {
            target[places.row() + next] = ArgReductions.best(stage.fn(), source, from + next * keys.length, keys);
        }
    }

    private void flags(Stage.Flags stage) {
        float[] source = places.array(stage.source());
        int from = places.at(stage.source());
        byte[] target = (byte[]) places.result(stage.result());
        int to = stage.isWide() ? places.row() * program.columns() : places.row();
        BoolTiles.write(source, from, target, to, places.elements(stage.isWide()));
    }
}
