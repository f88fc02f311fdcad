package dev.outpost.runtime.session;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes a session's values may take, and take. */
final class Quota {
    private final long limit;
    private final AtomicLong machineTotal;
    private final AtomicLong used = new AtomicLong();

    /** @param machineTotal what all sessions of the machine take together, kept up to date from here */
    Quota(long limit, AtomicLong machineTotal) {
        this.limit = limit;
        this.machineTotal = machineTotal;
    }

    /** Takes the bytes if they are free. */
    boolean reserve(long bytes) {
        long before = used.get();
        while (bytes <= limit - before) {
            if (used.compareAndSet(before, before + bytes)) {
                machineTotal.addAndGet(bytes);
                return true;
            }
            before = used.get();
        }
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
        machineTotal.addAndGet(-bytes);
    }

    long limit() {
        return limit;
    }

    long used() {
        return used.get();
    }
}
