package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Stage;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import java.util.List;

/** One thread's share of a {@link RowLoop}. */
final class RowRun implements KernelThreads.Share {
    private final int height;
    private final RowPlaces places;
    private final RowSteps.Step[] steps;

    /**
     * Takes tiles from the pool.
     *
     * @param pieces the stages of the program
     * @param height the number of rows in a tile
     * @param pool a pool of tiles that hold that number of rows of the usual length
     */
    RowRun(
            RowProgram program,
            List<ChainCutter.Piece<Stage, Place>> pieces,
            RowPlaces.Data data,
            int height,
            TilePool pool) {
        this.height = height;
        this.places = new RowPlaces(program, data, height, pool);
        RowSteps single = new RowSteps(program, places);
        this.steps = new RowSteps.Step[pieces.size()];
        for (int number = 0; number < steps.length; number++) {
            ChainCutter.Piece<Stage, Place> piece = pieces.get(number);
            steps[number] = piece.code() == null
                    ? single.of(piece.stages().getFirst())
                    : new RowChain(piece, places, single, program.columns());
        }
    }

    @Override
    public void run(int from, int to) {
        for (int row = from; row < to; row += height) {
            places.moveTo(row, Math.min(height, to - row));
            for (RowSteps.Step step : steps) {
                step.run();
            }
        }
    }

    @Override
    public void close() {
        places.close();
    }
}
