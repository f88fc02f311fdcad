package dev.outpost.simulated.kubernetes.control;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How long things take in the cluster: a monotonic clock that tests may speed up, or move on. */
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

    /** Since the clock was made, in the cluster's time. */
    public synchronized Duration now() {
        return origin.plusNanos((long) ((nanos.getAsLong() - realOrigin) * pace));
    }

    /** From here on so many seconds of the cluster pass in one of ours. */
    public synchronized void pace(double factor) {
        origin = now();
        realOrigin = nanos.getAsLong();
        pace = factor;
    }

    /** Lets time pass at once. */
    public synchronized void advance(Duration by) {
        origin = origin.plus(by);
    }

    /** How long we wait for something that the cluster waits for. */
    public synchronized Duration real(Duration ofCluster) {
        return Duration.ofNanos((long) (ofCluster.toNanos() / pace));
    }
}
