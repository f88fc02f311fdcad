package dev.outpost.runtime.session.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of the values of all sessions of one grant, and their bound. The bound may change meanwhile. Thread-safe.
 */
public final class GrantMemory {
    private final AtomicLong used = new AtomicLong();
    private volatile long max;

    public GrantMemory(long max) {
        this.max = max;
    }

    /** From now on; what is taken already stays taken, also where it is more. */
    public void bound(long newMax) {
        max = newMax;
    }

    /** Takes so much if it is free. */
    public boolean reserve(long bytes) {
        long before = used.get();
        while (bytes <= max - before) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    public void release(long bytes) {
        used.addAndGet(-bytes);
    }

    public long most() {
        return max;
    }

    public long used() {
        return used.get();
    }

    public long free() {
        return Math.max(0, max - used.get());
    }
}
