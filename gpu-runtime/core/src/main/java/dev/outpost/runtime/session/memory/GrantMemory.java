package dev.outpost.runtime.session.memory;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of the values of all sessions of one grant, and their limit, which may change. Thread-safe. */
public final class GrantMemory {
    private final AtomicLong used = new AtomicLong();
    private volatile long max;

    public GrantMemory(long max) {
        this.max = max;
    }

    /** Changes the bound. Reserved bytes stay reserved, even if they exceed the new bound. */
    public void bound(long newMax) {
        max = newMax;
    }

    /** Reserves these bytes if they are free. Returns true if it did. */
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
