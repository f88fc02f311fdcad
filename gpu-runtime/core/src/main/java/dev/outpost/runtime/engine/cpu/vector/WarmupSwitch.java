package dev.outpost.runtime.engine.cpu.vector;

/**
 * When to go over from plain code to code of the Vector API, which is hundreds of times slower until the JIT has compiled
 * it. Both compute the same bits, so that it does not show: until then a small part of the work is done by vectors, for no
 * more time than plain code has taken, and from when on that part is the quicker one they do all of it. Threads may race
 * here: what is lost is a measurement.
 */
public final class WarmupSwitch {
    /** Elements that vectors are given while they are slow: the JIT counts calls more than elements. */
    private static final int FEW = 32;
    /** Elements over which two fast loops can be told apart. */
    private static final int MANY = 512;
    /** Times slower from which on a few elements are enough to see it. */
    private static final double SLOW = 8;
    /**
     * Nanoseconds an element that code which makes objects never reaches. To look at the clock takes some 50, which is more
     * than {@link #SLOW} allows a few elements of a cheap operation: by that alone it would seem slow for ever.
     */
    private static final double OBJECTS = 8;
    /** How often in a row they have to be quicker: one interrupt makes anything look slow once. */
    private static final int WINS = 16;

    /** Computes some of the elements. */
    @FunctionalInterface
    public interface Part {
        /** @param count more than none */
        void run(int from, int count);
    }

    private boolean isDone;
    private long plainNanos = 1;
    private long vectorNanos;
    private double plain = Double.MAX_VALUE;
    private int share = FEW;
    private int wins;

    public boolean isDone() {
        return isDone;
    }

    /**
     * Computes some of the elements by vectors and the others by plain code. Neither is called for none: the JIT would take
     * the loop for one that is hardly ever entered, and not inline into it what it is made of.
     *
     * @param unit vectors take a multiple of this; so is the count
     */
    public void both(int count, int unit, Part vectors, Part plain) {
        int share = Math.min(Math.ceilDiv(share(), unit) * unit, count);
        if (share > 0) {
            long begin = System.nanoTime();
            vectors.run(0, share);
            vectors(share, System.nanoTime() - begin);
        }
        if (share < count) {
            long begin = System.nanoTime();
            plain.run(share, count - share);
            plain(count - share, System.nanoTime() - begin);
        }
    }

    private int share() {
        return vectorNanos <= plainNanos ? share : 0;
    }

    private void plain(int count, long nanos) {
        plainNanos += nanos;
        plain = (double) nanos / count;
    }

    private void vectors(int count, long nanos) {
        vectorNanos += nanos;
        double each = (double) nanos / count;
        share = each < Math.max(SLOW * plain, OBJECTS) ? MANY : FEW;
        wins = each < plain ? wins + 1 : 0;
        isDone |= wins >= WINS;
    }
}
