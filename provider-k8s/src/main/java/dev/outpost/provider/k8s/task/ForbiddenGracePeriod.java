package dev.outpost.provider.k8s.task;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time within which a refusal may end by itself. An API server that has just started refuses permitted requests for some seconds, until
 * it has read its roles.
 */
public final class ForbiddenGracePeriod {
    private final Duration timeout;
    private final Supplier<Duration> elapsed;
    private Duration first;

    /**
     * @param timeout the time from the first refusal
     * @param elapsed a monotonic clock
     */
    public ForbiddenGracePeriod(Duration timeout, Supplier<Duration> elapsed) {
        this.timeout = timeout;
        this.elapsed = elapsed;
    }

    /**
     * Records a refusal. Returns the remaining time in which the refusal may end by itself; not positive if the
     * refusal is final.
     */
    public Duration refused() {
        Duration now = elapsed.get();
        first = first == null ? now : first;
        return first.plus(timeout).minus(now);
    }
}
