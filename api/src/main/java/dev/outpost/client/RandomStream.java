package dev.outpost.client;

import java.util.concurrent.atomic.AtomicLong;

/** The random numbers of a machine: equal seeds give equal numbers on every engine. Thread-safe. */
public final class RandomStream {
    private final AtomicLong draws = new AtomicLong();
    private volatile long seed = 0x5DEECE66DL;

    /** Begins anew. */
    public void restart(long newSeed) {
        seed = newSeed;
        draws.set(0);
    }

    public long seed() {
        return seed;
    }

    /** Takes so many draws; the answer is the first. */
    public long take(long count) {
        return draws.getAndAdd(count);
    }
}
