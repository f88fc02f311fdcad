package dev.outpost.runtime.peer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Waits for other members by slices, so that a standstill of this process takes one slice of the time for them at most. */
public final class Patience {
    static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Patience() {}

    /** One wait of several; the answer is how many of the nanoseconds are left. */
    public static long awaitNanos(Condition changed, long left) throws InterruptedException {
        long slice = Math.min(left, SLICE_NANOS);
        long unspent = Math.max(0, changed.awaitNanos(slice));
        return left - (slice - unspent);
    }
}
