package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.chain.ChainLoop;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * Stages of a {@link RowProgram} that run in one generated loop, or one by one until that loop is compiled, for a
 * thread's current rows. The arguments for both are prepared at their first use.
 */
final class RowChain implements RowSteps.Step {
    private final ChainCutter.Piece<Stage, Place> piece;
    private final RowPlaces places;
    private final RowSteps steps;
    private final int columns;
    private RowSteps.Step[] single;
    private Together together;

    /** @param piece a piece of several stages */
    RowChain(ChainCutter.Piece<Stage, Place> piece, RowPlaces places, RowSteps steps, int columns) {
        this.piece = piece;
        this.places = places;
        this.steps = steps;
        this.columns = columns;
    }

    @Override
    public void run() {
        ChainLoop loop = piece.loop();
        if (loop == null) {
            piece.missed(places.elements(true));
            runOneByOne();
            return;
        }
        if (together == null) {
            together = new Together();
        }
        together.run(loop);
    }

    private void runOneByOne() {
        if (single == null) {
            single = steps.of(piece.stages());
        }
        for (RowSteps.Step step : single) {
            step.run();
        }
    }

    /** The arguments of the loop. Only the offsets and numbers differ from tile to tile. */
    private final class Together {
        private final RowSpots spots = new RowSpots(piece.arrays(), places);
        private final int[] strides = new int[spots.count()];
        /** The places of scalar inputs, then the places of folded numbers. */
        private final RowSpots numberSpots;
        /** The scalar inputs, the folded numbers, and the working space for folding. */
        private final float[] numbers = new float[piece.code().room()];

        private final List<Place> footers = new ArrayList<>();

        Together() {
            for (int number = 0; number < strides.length; number++) {
                Place place = piece.arrays().get(number);
                strides[number] = places.step(place);
                if (place.kind() == Kind.COLUMNS && !footers.contains(place)) {
                    footers.add(place);
                }
            }
            List<Place> narrow = new ArrayList<>(piece.numbers());
            narrow.addAll(piece.folded());
            numberSpots = new RowSpots(narrow, places);
        }

        void run(ChainLoop loop) {
            spots.move(places.row());
            if (numberSpots.count() == 0 && footers.isEmpty()) {
                loop.run(spots.arrays(), spots.offsets(), numbers, places.elements(true));
            } else {
                runByRow(loop);
            }
        }

        /**
         * Runs the loop for each row. This is necessary if each row has its own numbers, is folded to a number, or is joined to the
         * row of its block.
         */
        private void runByRow(ChainLoop loop) {
            numberSpots.move(places.row());
            // Copied to local variables, because fields are read again after each call that is not inlined.
            float[][] arrays = spots.arrays();
            int[] offsets = spots.offsets();
            int[] strides = this.strides;
            float[] numbers = this.numbers;
            float[][] numberArrays = numberSpots.arrays();
            int[] numberOffsets = numberSpots.offsets();
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
            for (int place = 0; place < strides.length; place++) {
                Place of = piece.arrays().get(place);
                if (of.kind() == Kind.COLUMNS) {
                    spots.offsets()[place] = places.footer(of.index()).at(row);
                }
            }
        }
    }
}
