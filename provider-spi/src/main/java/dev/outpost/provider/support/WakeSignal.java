package dev.outpost.provider.support;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes a thread that waits for news or for time to pass. A signal that arrives while the thread does not wait ends
 * its next wait at once.
 */
public final class WakeSignal {
    private final Semaphore news = new Semaphore(0);

    /** Wakes the thread, or ends its next wait at once. */
    public void wake() {
        news.release();
    }

    /** Waits for a signal, at most for the given time. Consumes all signals until then. */
    public void await(Duration atMost) throws InterruptedException {
        if (news.tryAcquire(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS)) {
            news.drainPermits();
        }
    }
}
