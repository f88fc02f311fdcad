package dev.outpost.provider.k8s.task;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Ever longer pauses between attempts, each drawn from the upper half, so that many clients do not come back at once. */
public final class Backoff {
    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration ceiling;

    public Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.ceiling = first;
    }

    /** How long to wait before the next attempt. */
    public Duration next() {
        long half = ceiling.toNanos() / 2;
        Duration pause = Duration.ofNanos(half + random.nextLong(half + 1));
        Duration doubled = ceiling.multipliedBy(2);
        ceiling = doubled.compareTo(longest) < 0 ? doubled : longest;
        return pause;
    }

    /** After a success the next pause is a short one again. */
    public void reset() {
        ceiling = first;
    }
}
