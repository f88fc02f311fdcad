package dev.outpost.inference;

/**
 * The limits of an engine.
 *
 * @param maxNumBatchedTokens the maximum number of tokens that a step computes; at least one for each running text
 * @param waiting the maximum number of waiting texts
 * @param ahead number of steps that are enqueued before the result of the first is read; 1 hides the round trip to
 *     the machine
 */
public record BatchSettings(int maxNumBatchedTokens, int waiting, int ahead) {
    public BatchSettings {
        require(maxNumBatchedTokens >= 1, "stepTokens", "at least 1", maxNumBatchedTokens);
        require(waiting >= 0, "waiting", "at least 0", waiting);
        require(ahead >= 0, "ahead", "at least 0", ahead);
    }

    private static void require(boolean holds, String what, String expected, int got) {
        if (!holds) {
            throw new IllegalArgumentException("batch: " + what + " must be " + expected + ", got " + got);
        }
    }

    public static BatchSettings standard() {
        return new BatchSettings(256, 256, 1);
    }
}
