package dev.outpost.simulated.kubernetes.control;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The cluster's monotonic clock, which tests may accelerate or advance. */
public final class PacedClock {
    private final LongSupplier nanos;
    private long realOrigin;
    private Duration origin = Duration.ZERO;
    private double pace = 1;

    /** @param nanos a monotonic clock in nanoseconds */
    public PacedClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.realOrigin = nanos.getAsLong();
    }

    /** Returns the cluster's time since the clock was made. */
    public synchronized Duration now() {
        return origin.plusNanos((long) ((nanos.getAsLong() - realOrigin) * pace));
    }

    /** Sets the seconds of the cluster's time that pass in one real second. */
    public synchronized void pace(double factor) {
        origin = now();
        realOrigin = nanos.getAsLong();
        pace = factor;
    }

    /** Advances the time at once. */
    public synchronized void advance(Duration by) {
        origin = origin.plus(by);
    }

    /** Returns the real time for a duration of the cluster's time. */
    public synchronized Duration real(Duration ofCluster) {
        return Duration.ofNanos((long) (ofCluster.toNanos() / pace));
    }
}
