package dev.outpost.client.stats;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A sum to which one thread at a time adds under a lock, and which other threads read without the lock. They may see
 * an addition late. Unlike an addition to a volatile field, an addition does not wait for memory. This matters
 * because every op makes several additions.
 */
public final class SingleWriterCounter {
    private final AtomicLong sum = new AtomicLong();

    /** Adds to the sum. The caller must have the lock. */
    public void add(long amount) {
        sum.setRelease(sum.getPlain() + amount);
    }

    public long get() {
        return sum.getAcquire();
    }
}
