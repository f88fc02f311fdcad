package dev.outpost.runtime.session.context;

/** When clients were last heard of, and when they last used the machine: nanoseconds of the runtime's clock. */
public final class ActivityTracker {
    private volatile long heard;
    private volatile long used;

    /** A frame of a session came, whatever it says. Who has no session is nobody. */
    public void onMessage(long now) {
        heard = now;
    }

    /** Something was asked for, or is being done. */
    public void used(long now) {
        used = now;
    }

    /** Time in which the runtime stood still is nobody's idleness. */
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
