package dev.outpost.runtime.engine.cpu.vector;

/**
 * Decides when to change from plain code to code of the Vector API, which is hundreds of times slower until the JIT has compiled it. Both
 * compute the same bits. Before the change, vectors process a small part of the elements, for no more time than plain code has taken. When
 * vectors become faster for each element, they process all elements. Threads may race here. A race only loses a measurement.
 */
public final class WarmupSwitch {
    /** The number of elements for vectors while they are slow. It is small because the JIT counts calls rather than elements. */
    private static final int FEW = 32;
    /** The number of elements that is enough to compare two fast loops. */
    private static final int MANY = 512;
    /** If vectors take at least this many times as long per element as plain code, they get only {@link #FEW} elements. */
    private static final double SLOW = 8;
    /**
     * The nanoseconds for each element below which vectors cannot be objects. Reading the clock takes some 50 ns, which is more than
     * {@link #SLOW} allows for a few elements of a cheap operation. By that ratio alone, vectors would seem slow forever.
     */
    private static final double OBJECTS = 8;
    /**
     * The number of consecutive comparisons in which vectors must be faster. A single interrupt can make any loop
     * look slow.
     */
    private static final int WINS = 16;

    /** Computes some of the elements. */
    @FunctionalInterface
    public interface Part {
        /** @param count a positive number */
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
     * Computes some of the elements by vectors and the others by plain code. Neither part is called for zero elements, because the JIT would
     * regard the loop as hardly ever entered, and not inline its methods.
     *
     * @param unit the number of elements passed to vectors is a multiple of this; so is the count
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
