package dev.outpost.runtime.session.upload;

import dev.outpost.runtime.engine.Completion;

/**
 * How many bytes an engine was handed and has not taken to where they belong. Whoever brings more is asked to wait when they are
 * many: not by blocking, since it may be a thread of the network's. Thread-safe.
 */
public final class PendingUploadBytes {
    private final long max;
    private long bytes;
    private Runnable waiting;

    /** @param max so many bytes are no reason to wait */
    public PendingUploadBytes(long max) {
        this.max = max;
    }

    /** Something is on its way. */
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

    /** Has an action run as soon as the backlog is not long: at once, or on a thread that must not be kept. One waits at a time. */
    public void whenShort(Runnable action) {
        synchronized (this) {
            if (bytes > max) {
                if (waiting != null) {
                    throw new IllegalStateException("somebody waits already");
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
