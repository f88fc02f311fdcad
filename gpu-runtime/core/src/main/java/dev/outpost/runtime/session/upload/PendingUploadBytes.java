package dev.outpost.runtime.session.upload;

import dev.outpost.runtime.engine.Completion;

/**
 * The bytes that were passed to an engine and that it has not copied yet. If there are many, the sender waits by a
 * callback rather than by blocking, because it may be a network thread. Thread-safe.
 */
public final class PendingUploadBytes {
    private final long max;
    private long bytes;
    private Runnable waiting;

    /** @param max the number of bytes up to which no sender has to wait */
    public PendingUploadBytes(long max) {
        this.max = max;
    }

    /** Adds bytes until their completion is done. */
    public void add(long more, Completion arrival) {
        if (arrival.isDone()) {
            return;
        }
        synchronized (this) {
            bytes += more;
        }
        arrival.whenDone(() -> arrived(more));
    }

    public synchronized boolean isLong() {
        return bytes > max;
    }

    /**
     * Runs an action as soon as the backlog is short: immediately, or later on a thread that the action must not block.
     * Only one action can wait at a time.
     */
    public void whenShort(Runnable action) {
        synchronized (this) {
            if (bytes > max) {
                if (waiting != null) {
                    throw new IllegalStateException("another thread waits already");
                }
                waiting = action;
                return;
            }
        }
        action.run();
    }

    private void arrived(long less) {
        Runnable next = null;
        synchronized (this) {
            bytes -= less;
            if (bytes <= max) {
                next = waiting;
                waiting = null;
            }
        }
        if (next != null) {
            next.run();
        }
    }
}
