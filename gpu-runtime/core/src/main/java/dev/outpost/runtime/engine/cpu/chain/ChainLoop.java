package dev.outpost.runtime.engine.cpu.chain;

import dev.outpost.runtime.engine.cpu.fold.RowReduction;

/** The loop of a {@link Chain}. An array that is written may be one that is read, at the same place. */
public interface ChainLoop {
    /**
     * Computes elements beside each other.
     *
     * @param arrays what is read, then what is written
     * @param offsets where each begins
     * @param numbers the same for all elements; behind them what was folded is found, and there is room for folding
     * @param count of a chain that folds, a multiple of {@link RowReduction#LANES}
     */
    void run(float[][] arrays, int[] offsets, float[] numbers, int count);
}
