package dev.outpost.runtime.engine.cpu;

/**
 * When to go over from plain code to code of the Vector API, which is hundreds of times slower until the JIT has compiled
 * it. Both compute the same bits, so that it does not show: until then a small part of the work is done by vectors, for no
 * more time than plain code has taken, and from when on that part is the quicker one they do all of it. Threads may race
 * here: what is lost is a measurement.
 */
final class Rise {
    /** Elements that vectors are given while they are slow: the JIT counts calls more than elements. */
    private static final int FEW = 32;
    /** Elements over which two fast loops can be told apart. */
    private static final int MANY = 512;
    /** Times slower from which on a few elements are enough to see it. */
    private static final double SLOW = 8;
    /** How often in a row they have to be quicker: one interrupt makes anything look slow once. */
    private static final int WINS = 16;

    private boolean isDone;
    private long plainNanos = 1;
    private long vectorNanos;
    private double plain = Double.MAX_VALUE;
    private int share = FEW;
    private int wins;

    boolean isDone() {
        return isDone;
    }

    /** How many of that many elements vectors are to compute now. */
    int share(int count) {
        return vectorNanos <= plainNanos ? Math.min(share, count) : 0;
    }

    /** Says how long plain code took for that many elements. */
    void plain(int count, long nanos) {
        if (count > 0) {
            plainNanos += nanos;
            plain = (double) nanos / count;
        }
    }

    /** Says how long vectors took for that many elements. */
    void vectors(int count, long nanos) {
        if (count == 0) {
            return;
        }
        vectorNanos += nanos;
        double each = (double) nanos / count;
        share = each < SLOW * plain ? MANY : FEW;
        wins = each < plain ? wins + 1 : 0;
        isDone |= wins >= WINS;
    }
}
