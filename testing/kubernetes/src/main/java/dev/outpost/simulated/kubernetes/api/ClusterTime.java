package dev.outpost.simulated.kubernetes.api;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The cluster's idea of the time of day, which may be wrong. */
public final class ClusterTime implements InstantSource {
    private final InstantSource real;
    private final AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);

    ClusterTime(InstantSource real) {
        this.real = real;
    }

    /** From here on the cluster's clocks are ahead of ours by so much, or behind if it is negative. */
    public void skew(Duration ahead) {
        skew.set(ahead);
    }

    @Override
    public Instant instant() {
        return real.instant().plus(skew.get());
    }

    /** In whole seconds, as timestamps of objects are. */
    public String stamp() {
        return instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
