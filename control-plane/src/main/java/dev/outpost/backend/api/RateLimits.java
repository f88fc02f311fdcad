package dev.outpost.backend.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How many requests each key may send: a bucket a key, in each replica. Safe for use by many threads. */
public final class RateLimits {
    private static final int KEYS = 10_000;
    private static final int BURST_SECONDS = 10;
    private static final double NANOS = 1e9;

    private final int perSecond;
    private final LongSupplier nanos;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > KEYS;
        }
    };

    private record Bucket(double tokens, long at) {}

    /** @param nanos a monotonic clock */
    public RateLimits(int perSecond, LongSupplier nanos) {
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    /** Counts a request of the key; a {@link Problem} where it is one too many. */
    synchronized void take(String key) {
        require(key);
        Bucket bucket = buckets.get(key);
        buckets.put(key, new Bucket(bucket.tokens() - 1, bucket.at()));
    }

    /** A {@link Problem} where a request of the key would be one too many; counts nothing. */
    synchronized void require(String key) {
        long now = nanos.getAsLong();
        double full = (double) perSecond * BURST_SECONDS;
        Bucket bucket = buckets.getOrDefault(key, new Bucket(full, now));
        double tokens = Math.min(full, bucket.tokens() + (now - bucket.at()) / NANOS * perSecond);
        buckets.put(key, new Bucket(tokens, now));
        if (tokens < 1) {
            throw Problem.tooMany(
                    new Problem.LimitView("key/requests-per-second", perSecond, 1, perSecond),
                    Duration.ofNanos((long) ((1 - tokens) / perSecond * NANOS)));
        }
    }
}
