package dev.outpost.client.record;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time in which nothing is recorded, because the machine is being paused, is paused, or is being resumed. Guarded by the recording's
 * lock.
 */
final class Suspension {
    private final ReentrantLock lock;
    private final Condition ended;
    /** Also read without the lock. */
    private volatile boolean isOn;
    /** Null while the machine is being paused. */
    private Runnable resume;

    Suspension(ReentrantLock lock) {
        this.lock = lock;
        this.ended = lock.newCondition();
    }

    boolean isOn() {
        return isOn;
    }

    void begin() {
        isOn = true;
        resume = null;
    }

    void resumeBy(Runnable how) {
        resume = how;
        ended.signalAll();
    }

    void end() {
        isOn = false;
        resume = null;
        ended.signalAll();
    }

    /** Waits for the end, or resumes the machine. Releases the lock meanwhile. */
    void await() {
        while (isOn) {
            if (resume == null) {
                ended.awaitUninterruptibly();
            } else {
                runUnlocked(resume);
            }
        }
    }

    private void runUnlocked(Runnable action) {
        int holds = lock.getHoldCount();
        for (int hold = 0; hold < holds; hold++) {
            lock.unlock();
        }
        try {
            action.run();
        } finally {
            for (int hold = 0; hold < holds; hold++) {
                lock.lock();
            }
        }
    }
}
