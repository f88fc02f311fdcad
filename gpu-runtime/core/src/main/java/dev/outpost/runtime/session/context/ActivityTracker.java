package dev.outpost.runtime.session.context;

/**
 * The time at which the last frame of a client arrived, and the time at which a client last used the machine, in nanoseconds of the
 * runtime's clock.
 */
public final class ActivityTracker {
    private volatile long heard;
    private volatile long used;

    /** Records that a frame of a session arrived, whatever it contains. Connections without a session do not count. */
    public void onMessage(long now) {
        heard = now;
    }

    /** Records that an instruction arrived or is being executed. */
    public void used(long now) {
        used = now;
    }

    /** Extends both times by the time in which the runtime stood still, which does not count as idle. */
    public void extend(long nanos, long now) {
        heard = Math.min(now, heard + nanos);
        used = Math.min(now, used + nanos);
    }

    public long lastHeard() {
        return heard;
    }

    public long used() {
        return used;
    }
}
