package dev.outpost.runtime.peer;

/**
 * The algorithm of a sum over all members. The choice and the order of the terms depend on the number of bytes and
 * members alone, so every run gives the same bits.
 *
 * <p>{@code ONE_STEP}, {@code DIRECT}: terms in the order of ranks. {@code TREE}: pairs of neighbours, then pairs of
 * pairs. {@code RING}: the terms of a member's chunk begin with that member and go up the ranks, round the ring
 * (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
 */
public enum Algorithm {
    /** Each member sends all its elements to each other one, and each adds for itself. */
    ONE_STEP,
    /** Terms go up a binomial tree, and the sum goes down again. */
    TREE,
    /** Each member adds one chunk, which the others send it, and sends the sum to all. */
    DIRECT,
    /** As DIRECT, but each member communicates with its neighbours only. */
    RING;

    private static final int SMALL_BYTES = 4096;
    /** Up to this number of members, one step less is worth more than fewer messages. */
    private static final int FEW_MEMBERS = 8;

    /** @param bytes the size of the sum in bytes */
    public static Algorithm of(long bytes, int members) {
        if (bytes < SMALL_BYTES) {
            return members <= FEW_MEMBERS ? ONE_STEP : TREE;
        }
        return members <= FEW_MEMBERS ? DIRECT : RING;
    }

    /** Returns the number of messages that each member waits for one after the other. */
    public int steps(int members) {
        int levels = 32 - Integer.numberOfLeadingZeros(members - 1);
        return switch (this) {
            case ONE_STEP -> 1;
            case DIRECT -> 2;
            case TREE -> 2 * levels;
            case RING -> 2 * (members - 1);
        };
    }
}
