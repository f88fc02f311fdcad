package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.runtime.engine.cpu.tile.TileSelect;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the operations of a chain one by one, with the loops that all programs share. The generated loop of the chain
 * is used only if it is faster.
 */
final class UnfusedChain implements ChainLoop {
    private final Chain chain;
    /** The arrays of one tile: scalar inputs that are repeated along the tile, and intermediate values. */
    private final float[][] own;

    private final float[] lanes = new float[RowReduction.LANES];
    private float[] spread = {};

    /** @param max the maximum number of elements of a run */
    UnfusedChain(Chain chain, int max) {
        this.chain = chain;
        this.own = new float[chain.firstComputed() + chain.operations().size()][max];
    }

    @Override
    public void run(float[][] arrays, int[] offsets, float[] numbers, int count) {
        float[][] tiles = own.clone();
        int[] indices = new int[tiles.length];
        System.arraycopy(arrays, 0, tiles, 0, chain.loads());
        System.arraycopy(offsets, 0, indices, 0, chain.loads());
        for (int result = 0; result < chain.stored().size(); result++) {
            tiles[chain.stored().get(result)] = arrays[chain.loads() + result];
            indices[chain.stored().get(result)] = offsets[chain.loads() + result];
        }
        spread(numbers);
        for (int operation = 0; operation < chain.operations().size(); operation++) {
            run(chain.operations().get(operation), tiles, indices, chain.firstComputed() + operation, count);
        }
        for (int number = 0; number < chain.folds().size(); number++) {
            Chain.Fold folded = chain.folds().get(number);
            numbers[chain.numbers() + number] =
                    folded.fold().fold(tiles[folded.value()], indices[folded.value()], count, lanes);
        }
    }

    private void spread(float[] numbers) {
        float[] read = Arrays.copyOf(numbers, chain.numbers());
        if (!Arrays.equals(read, spread)) {
            spread = read;
            for (int number = 0; number < read.length; number++) {
                Arrays.fill(own[chain.loads() + number], read[number]);
            }
        }
    }

    private static void run(Chain.Operation operation, float[][] tiles, int[] indices, int target, int count) {
        List<Integer> sources = operation.sources();
        int first = sources.getFirst();
        int last = sources.getLast();
        if (operation.step() == VectorStep.CHOOSE) {
            int second = sources.get(1);
            TileSelect.run(
                    tiles[first],
                    indices[first],
                    tiles[second],
                    indices[second],
                    tiles[last],
                    indices[last],
                    tiles[target],
                    indices[target],
                    count);
        } else {
            TileOps.of(operation.step())
                    .run(
                            tiles[first],
                            indices[first],
                            tiles[last],
                            indices[last],
                            tiles[target],
                            indices[target],
                            count);
        }
    }
}
