package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.cpu.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.RowProgram.Stage;
import java.util.List;
import java.util.stream.Stream;

/** A piece of a {@link RowProgram} and what its loop is given, of which nothing but the places and numbers is another from tile to tile. */
final class RowPart {
    private final ChainCutter.Piece<Stage, Place> piece;
    private final RowPlaces places;
    private final int columns;
    private final List<Place> footers;
    private final float[][] arrays;
    private final int[] offsets;
    private final int[] bases;
    private final int[] slopes;
    private final int[] strides;
    /** What the loop reads, what it folds, and what it needs to do so. */
    private final float[] numbers;
    /** Where the numbers come from, and then where those go that are folded. */
    private final float[][] numberArrays;

    private final int[] numberOffsets;
    private final int[] numberBases;
    private final int[] numberSlopes;
    /** Its stages one by one. */
    private final RowSteps.Step[] single;

    RowPart(ChainCutter.Piece<Stage, Place> piece, RowPlaces places, RowSteps steps, int columns) {
        this.piece = piece;
        this.places = places;
        this.columns = columns;
        this.footers = piece.arrays().stream()
                .filter(place -> place.kind() == Kind.COLUMNS)
                .distinct()
                .toList();
        this.arrays = piece.arrays().stream().map(places::array).toArray(float[][]::new);
        this.offsets = new int[arrays.length];
        this.bases = piece.arrays().stream().mapToInt(places::base).toArray();
        this.slopes = piece.arrays().stream().mapToInt(places::slope).toArray();
        this.strides = piece.arrays().stream().mapToInt(places::step).toArray();
        this.numbers = new float[piece.code() == null ? 0 : piece.code().room()];
        List<Place> numberPlaces =
                Stream.concat(piece.numbers().stream(), piece.folded().stream()).toList();
        this.numberArrays = numberPlaces.stream().map(places::array).toArray(float[][]::new);
        this.numberOffsets = new int[numberArrays.length];
        this.numberBases = numberPlaces.stream().mapToInt(places::base).toArray();
        this.numberSlopes = numberPlaces.stream().mapToInt(places::slope).toArray();
        this.single = piece.stages().stream().map(steps::of).toArray(RowSteps.Step[]::new);
    }

    void run() {
        ChainLoop loop = piece.loop();
        if (loop == null) {
            piece.missed(places.elements(true));
            for (RowSteps.Step step : single) {
                step.run();
            }
            return;
        }
        move(offsets, bases, slopes);
        if (numberArrays.length == 0 && footers.isEmpty()) {
            loop.run(arrays, offsets, numbers, places.elements(true));
        } else {
            runByRow(loop);
        }
    }

    /** Sums and products alone: it is done for every few rows. */
    private void move(int[] offsets, int[] bases, int[] slopes) {
        int row = places.row();
        for (int place = 0; place < offsets.length; place++) {
            offsets[place] = bases[place] + row * slopes[place];
        }
    }

    /** Where each row has numbers of its own, or comes to one, or is joined to that of its block. */
    private void runByRow(ChainLoop loop) {
        move(numberOffsets, numberBases, numberSlopes);
        // In locals: behind a call that is not inlined, fields are read again.
        float[][] arrays = this.arrays;
        int[] offsets = this.offsets;
        int[] strides = this.strides;
        float[] numbers = this.numbers;
        float[][] numberArrays = this.numberArrays;
        int[] numberOffsets = this.numberOffsets;
        boolean joinsBlocks = !footers.isEmpty();
        int read = piece.numbers().size();
        int rows = places.count();
        for (int next = 0; next < rows; next++) {
            for (int number = 0; number < read; number++) {
                numbers[number] = numberArrays[number][numberOffsets[number] + next];
            }
            if (joinsBlocks) {
                beginBlocks(places.row() + next);
            }
            loop.run(arrays, offsets, numbers, columns);
            for (int number = read; number < numberArrays.length; number++) {
                numberArrays[number][numberOffsets[number] + next] = numbers[number];
            }
            for (int place = 0; place < offsets.length; place++) {
                offsets[place] += strides[place];
            }
        }
    }

    private void beginBlocks(int row) {
        for (Place footer : footers) {
            places.footer(footer.index()).begin(row);
        }
        for (int place = 0; place < offsets.length; place++) {
            Place of = piece.arrays().get(place);
            if (of.kind() == Kind.COLUMNS) {
                offsets[place] = places.footer(of.index()).at(row);
            }
        }
    }
}
