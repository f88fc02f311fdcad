package dev.outpost.inference;

/**
 * The present state of an engine, and its totals.
 *
 * @param running number of texts that are being computed
 * @param waiting number of texts that wait
 * @param blocks number of blocks in the pool
 * @param freeBlocks number of blocks that no text uses; they may hold cached keys and values of earlier texts
 * @param preemptions number of preemptions since the start
 * @param promptTokens total prompt tokens of all texts that have begun
 * @param cachedTokens prompt tokens that were served from the cache of earlier texts
 * @param newTokens total generated tokens
 */
public record BatchStatistics(
        int running,
        int waiting,
        int blocks,
        int freeBlocks,
        long preemptions,
        long promptTokens,
        long cachedTokens,
        long newTokens) {
    /** Returns the fraction of the pool's blocks that texts use. */
    public double use() {
        return blocks == 0 ? 0 : 1 - (double) freeBlocks / blocks;
    }
}
