package dev.outpost.runtime.cuda.code;

/**
 * The threads that share a row. Thread {@code t} takes runs of neighbouring columns: the first run begins at {@code t * run}, and each
 * further run {@code threads * run} later. The team depends only on the number of columns, and so does the order of folds.
 *
 * @param threads one, a warp, or a block
 * @param run the number of columns that a thread takes at once
 */
public record RowTeam(int threads, int run) {
    /** The maximum number of columns that can be folded over all rows. A thread has registers for its share of them. */
    static final int MAX_FOLDED_COLUMNS = 8192;

    private static final int WARP = 32;
    private static final int BLOCK = 256;
    private static final int LARGE_BLOCK = 1024;
    private static final int LONGEST_RUN = 4;

    /** The maximum number of columns for one thread, for a warp, and for a block of the usual size. */
    private static final int FOR_A_THREAD = 16;

    private static final int FOR_A_WARP = 1024;
    private static final int FOR_A_BLOCK = 8192;

    /** The number of register bytes in which a thread keeps values of a row. Threads of a large block have fewer. */
    private static final int KEPT = 256;

    private static final int KEPT_IN_A_LARGE_BLOCK = 128;

    /**
     * The maximum number of teams that take rows alternately when columns are folded. They fill a device and leave
     * few partial results.
     */
    private static final int MAX_BLOCKS = 512;

    private static final int MAX_WARPS = 2048;
    private static final int MAX_THREADS = 8192;
    private static final int MIN_ROWS = 8;

    public static RowTeam of(int columns) {
        int threads = columns <= FOR_A_THREAD
                ? 1
                : columns <= FOR_A_WARP ? WARP : columns <= FOR_A_BLOCK ? BLOCK : LARGE_BLOCK;
        int run = LONGEST_RUN;
        while (threads == 1 ? columns % run != 0 : columns < threads * run && run > 1) {
            run /= 2;
        }
        return new RowTeam(threads, run);
    }

    /** Returns true if the team is a whole block. */
    boolean isBlock() {
        return threads >= BLOCK;
    }

    /** Returns the number of threads in a block, which contains one or several teams. */
    public int blockThreads() {
        return Math.max(BLOCK, threads);
    }

    /** Returns the number of runs of a row that each thread takes. */
    public int runs(int columns) {
        return Math.ceilDiv(columns, threads * run);
    }

    /**
     * Returns the number of teams that share the rows when columns are folded. Team {@code t} takes row {@code t}, and then each row that
     * comes this number later.
     */
    public int sharing(int rows) {
        int max = threads == 1 ? MAX_THREADS : threads == WARP ? MAX_WARPS : MAX_BLOCKS;
        return Math.clamp(rows / MIN_ROWS, 1, max);
    }

    int keptBytes() {
        return threads == LARGE_BLOCK ? KEPT_IN_A_LARGE_BLOCK : KEPT;
    }
}
