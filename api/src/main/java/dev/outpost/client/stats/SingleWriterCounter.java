package dev.outpost.client.stats;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A sum that one thread at a time adds to, by a lock, and that others look at without. They may see it late: an addition does not
 * wait for memory, as one to a volatile field does, and every op makes some.
 */
public final class SingleWriterCounter {
    private final AtomicLong sum = new AtomicLong();

    /** By who has the lock. */
    public void add(long amount) {
        sum.setRelease(sum.getPlain() + amount);
    }

    public long get() {
        return sum.getAcquire();
    }
}
