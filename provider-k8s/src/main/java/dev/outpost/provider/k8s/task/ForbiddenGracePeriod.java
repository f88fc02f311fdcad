package dev.outpost.provider.k8s.task;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * For how long a refusal may pass by itself: an API server that has just started refuses for some seconds what it allows
 * when it has read its roles.
 */
public final class ForbiddenGracePeriod {
    private final Duration timeout;
    private final Supplier<Duration> elapsed;
    private Duration first;

    /**
     * @param timeout from the first refusal on
     * @param elapsed a monotonic clock
     */
    public ForbiddenGracePeriod(Duration timeout, Supplier<Duration> elapsed) {
        this.timeout = timeout;
        this.elapsed = elapsed;
    }

    /** It was refused, now. The answer is for how long it may still pass; not positive when the refusal is final. */
    public Duration refused() {
        Duration now = elapsed.get();
        first = first == null ? now : first;
        return first.plus(timeout).minus(now);
    }
}
