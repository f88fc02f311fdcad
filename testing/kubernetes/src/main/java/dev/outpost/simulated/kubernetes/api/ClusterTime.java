package dev.outpost.simulated.kubernetes.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The cluster's time of day, which may be wrong. */
public final class ClusterTime implements InstantSource {
    private final InstantSource real;
    private final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);

    ClusterTime(InstantSource real) {
        this.real = real;
    }

    /** Sets the time by which the cluster's clocks are ahead of ours; negative if they are behind. */
    public void skew(Duration ahead) {
        skew.set(ahead);
    }

    @Override
    public Instant instant() {
        return real.instant().plus(skew.get());
    }

    /** Returns the time in whole seconds, like timestamps of objects. */
    public String stamp() {
        return instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
