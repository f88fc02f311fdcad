package dev.outpost.backend.api;

import dev.outpost.provider.support.RateLimiter;
import dev.outpost.rest.LimitView;
import java.util.function.LongSupplier;

/** Limits the requests that each key sends to this replica, with one bucket for each key. Thread-safe. */
public final class RateLimits {
    static final int BURST_SECONDS = 10;

    private final int perSecond;
    private final RateLimiter limiter;

    /** @param nanos a monotonic clock */
    public RateLimits(int perSecond, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.limiter = new RateLimiter(perSecond, perSecond * BURST_SECONDS, nanos);
    }

    /** Counts a request of the key. Throws a {@link Problem} if the limit is reached. */
    void take(String key) {
        limiter.take(key).ifPresent(wait -> {
            throw Problem.tooMany(
                    "the key", "requests", new LimitView("key/requests-per-second", perSecond, 1, perSecond), wait);
        });
    }
}
