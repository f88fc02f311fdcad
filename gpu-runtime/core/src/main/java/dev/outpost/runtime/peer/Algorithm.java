package dev.outpost.runtime.peer;

/**
 * The algorithm of a sum over all members. The choice of the algorithm and the order of the terms depend only on the
 * number of bytes and of members, so each run computes the same bits.
 *
 * <p>{@code ONE_STEP}, {@code DIRECT}: terms in the order of ranks. {@code TREE}: pairs of neighbours, then pairs of
 * pairs. {@code RING}: the terms of a member's chunk begin with that member and go up the ranks, round the ring
 * (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
 */
public enum Algorithm {
    /** Each member sends all its elements to every other member, and each member adds all terms. */
    ONE_STEP,
    /** Terms are sent and added up a binomial tree, and the sum is sent down the tree. */
    TREE,
    /** Each member receives the terms of one chunk from all others, adds them, and sends the sum to all. */
    DIRECT,
    /** Like {@link #DIRECT}, but each member communicates only with its neighbours in a ring. */
    RING;

    private static final int SMALL_BYTES = 4096;
    /** The number of members up to which saving a step is worth more than saving messages. */
    private static final int FEW_MEMBERS = 8;

    /** @param bytes the size of the sum in bytes */
    public static Algorithm of(long bytes, int members) {
        if (bytes < SMALL_BYTES) {
            return members <= FEW_MEMBERS ? ONE_STEP : TREE;
        }
        return members <= FEW_MEMBERS ? DIRECT : RING;
    }

    /** Returns the number of messages for which each member waits one after the other. */
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
