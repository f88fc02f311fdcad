package dev.outpost.provider.support;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits rates by token buckets. Each key has a bucket, which is full at first and is refilled at a rate. The 10,000
 * most recently used keys are remembered. Thread-safe.
 */
public final class RateLimiter {
    private static final int MAX_KEYS = 10_000;
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final int burst;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MAX_KEYS;
        }
    };

    private record Bucket(double tokens, long at) {}

    /**
     * Makes full buckets.
     *
     * @param perSecond tokens that a bucket gets each second
     * @param burst tokens that a bucket holds at most
     * @param nanos a monotonic clock, in nanoseconds
     */
    public RateLimiter(double perSecond, int burst, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.burst = burst;
        this.nanos = nanos;
    }

    /**
     * Takes a token from the key's bucket. If the bucket has none, it takes nothing.
     *
     * @return empty if a token was taken; otherwise the time until the bucket has one
     */
    public synchronized Optional<Duration> take(String key) {
        double tokens = fill(key);
        if (tokens < 1) {
            return Optional.of(Duration.ofNanos((long) Math.ceil((1 - tokens) / perSecond * NANOS)));
        }
        add(key, -1);
        return Optional.empty();
    }

    /** Puts back a taken token, for an event that should not count. */
    public synchronized void refund(String key) {
        fill(key);
        add(key, 1);
    }

    private double fill(String key) {
        long now = nanos.getAsLong();
        Bucket bucket = buckets.getOrDefault(key, new Bucket(burst, now));
        double tokens = Math.min(burst, bucket.tokens() + (now - bucket.at()) / NANOS * perSecond);
        buckets.put(key, new Bucket(tokens, now));
        return tokens;
    }

    private void add(String key, int tokens) {
        buckets.computeIfPresent(
                key, (name, bucket) -> new Bucket(Math.min(burst, bucket.tokens() + tokens), bucket.at()));
    }
}
