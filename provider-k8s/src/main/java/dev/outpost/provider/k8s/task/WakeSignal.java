package dev.outpost.provider.k8s.task;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where a thread waits for news, or for time to pass. What came while nobody waited is not lost. */
public final class WakeSignal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition beaten = lock.newCondition();
    private boolean news;

    /** There is something to look at. */
    public void wake() {
        lock.lock();
        try {
            news = true;
            beaten.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for news, and not longer than that; those of before are over then. */
    public void await(Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (!news && left > 0) {
                left = beaten.awaitNanos(left);
            }
            news = false;
        } finally {
            lock.unlock();
        }
    }
}
