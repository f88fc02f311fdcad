package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;

/** The loop of a {@link Chain}. An array may be both read and written at the same offset. */
public interface ChainLoop {
    /**
     * Computes consecutive elements.
     *
     * @param arrays the arrays to read, then the arrays to write
     * @param offsets the first index in each array
     * @param numbers the numbers that are the same for all elements, then the folded results, then working space for folding
     * @param count the number of elements; a multiple of {@link RowReduction#LANES} if the chain folds
     */
    void run(float[][] arrays, int[] offsets, float[] numbers, int count);
}
