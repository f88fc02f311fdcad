package dev.outpost.inference;

/**
 * How an engine is at present.
 *
 * @param running texts that are computed
 * @param waiting texts that wait
 * @param blocks of the pool
 * @param freeBlocks that no text has; keys and values of earlier texts may lie there
 * @param preemptions since the start
 * @param promptTokens of all prompts that have begun
 * @param cachedTokens of them, those that were computed for another text before
 * @param newTokens that were generated
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
    /** The part of the pool that texts have. */
    public double use() {
        return blocks == 0 ? 0 : 1 - (double) freeBlocks / blocks;
    }
}
