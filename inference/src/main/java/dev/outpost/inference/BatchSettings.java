package dev.outpost.inference;

/**
 * The limits of an engine.
 *
 * @param maxNumBatchedTokens the most tokens that a step computes; at least one for each text
 * @param waiting the most texts that may wait
 * @param ahead number of steps that are enqueued before the first of them is read; one hides the round trip to the
 *     machine
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
