package dev.outpost.runtime.session;

import java.util.concurrent.atomic.AtomicLong;

/** What the values of all sessions of one grant take, and may take. The bound may change while they do. Thread-safe. */
final class GrantMemory {
    private final AtomicLong used = new AtomicLong();
    private volatile long most;

    GrantMemory(long most) {
        this.most = most;
    }

    /** From now on; what is taken already stays taken, also where it is more. */
    void bound(long newMost) {
        most = newMost;
    }

    /** Takes so much if it is free. */
    boolean reserve(long bytes) {
        long before = used.get();
        while (bytes <= most - before) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    long most() {
        return most;
    }

    long used() {
        return used.get();
    }

    long free() {
        return Math.max(0, most - used.get());
    }
}
