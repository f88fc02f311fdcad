package dev.outpost.runtime.cuda.code;

/**
 * The threads that share a row: thread {@code t} takes runs of neighbouring columns, the first at {@code t * run}, and the next
 * ones {@code threads * run} further each. It follows from the number of columns alone, and with it what is folded in which order.
 *
 * @param threads one, a warp, or a block
 * @param run columns that a thread takes at once
 */
public record RowTeam(int threads, int run) {
    /** The most columns whose folds over all rows a thread of the team has room for in its registers. */
    static final int MAX_FOLDED_COLUMNS = 8192;

    private static final int WARP = 32;
    private static final int BLOCK = 256;
    private static final int LARGE_BLOCK = 1024;
    private static final int LONGEST_RUN = 4;

    /** The most columns for one thread, for a warp, and for a block of the usual size. */
    private static final int FOR_A_THREAD = 16;

    private static final int FOR_A_WARP = 1024;
    private static final int FOR_A_BLOCK = 8192;

    /** Bytes of registers in which a thread keeps what it has of a row; those of a large block have fewer. */
    private static final int KEPT = 256;

    private static final int KEPT_IN_A_LARGE_BLOCK = 128;

    /** Teams that go through rows in turns, where columns are folded: enough to fill a device, and few parts to be folded again. */
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

    /** Whether it is a block by itself, and not a part of one. */
    boolean isBlock() {
        return threads >= BLOCK;
    }

    /** Threads of a block: of several rows, or of one. */
    public int blockThreads() {
        return Math.max(BLOCK, threads);
    }

    /** How many runs a thread takes of a row. */
    public int runs(int columns) {
        return Math.ceilDiv(columns, threads * run);
    }

    /** How many teams share the rows where columns are folded: team {@code t} takes row {@code t}, and each that comes so many later. */
    public int sharing(int rows) {
        int max = threads == 1 ? MAX_THREADS : threads == WARP ? MAX_WARPS : MAX_BLOCKS;
        return Math.clamp(rows / MIN_ROWS, 1, max);
    }

    int keptBytes() {
        return threads == LARGE_BLOCK ? KEPT_IN_A_LARGE_BLOCK : KEPT;
    }
}
