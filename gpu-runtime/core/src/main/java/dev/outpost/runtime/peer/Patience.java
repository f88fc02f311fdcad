package dev.outpost.runtime.peer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Waits for other members in short slices, so that a standstill of this process uses up at most one slice of the
 * timeout.
 */
public final class Patience {
    static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Patience() {}

    /** Waits for one slice. Returns the nanoseconds that are left. */
    public static long awaitNanos(Condition changed, long left) throws InterruptedException {
        long slice = Math.min(left, SLICE_NANOS);
        long unspent = Math.max(0, changed.awaitNanos(slice));
        return left - (slice - unspent);
    }
}
