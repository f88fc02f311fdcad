package dev.outpost.provider.k8s.task;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Increasing pauses between attempts. Each is drawn at random from the upper half of its range, so that many clients do not retry at
 * once.
 */
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

    /** The pause before the next attempt. */
    public Duration next() {
        long half = ceiling.toNanos() / 2;
        Duration pause = Duration.ofNanos(half + random.nextLong(half + 1));
        Duration doubled = ceiling.multipliedBy(2);
        ceiling = doubled.compareTo(longest) < 0 ? doubled : longest;
        return pause;
    }

    /** Resets to short pauses, after a success. */
    public void reset() {
        ceiling = first;
    }
}
