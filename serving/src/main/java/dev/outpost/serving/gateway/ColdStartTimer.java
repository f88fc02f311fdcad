package dev.outpost.serving.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The time from a request that found no replica of its deployment to the first token that a replica made after it. If several requests
 * wait, the first one counts. Thread-safe.
 */
final class ColdStartTimer {
    private final LongSupplier nanoTime;
    private final Map<String, Long> asked = new HashMap<>();
    private final Map<String, Duration> news = new HashMap<>();

    ColdStartTimer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Starts the clock: a request arrived and the deployment has no replica. */
    synchronized void asked(String deployment) {
        asked.putIfAbsent(deployment, nanoTime.getAsLong());
    }

    /** A replica of the deployment made the first token of a text. */
    synchronized void made(String deployment) {
        Optional.ofNullable(asked.remove(deployment))
                .map(begin -> Duration.ofNanos(nanoTime.getAsLong() - begin))
                .ifPresent(took -> news.put(deployment, took));
    }

    /** No request waits any more, and none was computed. */
    synchronized void forget(String deployment) {
        asked.remove(deployment);
    }

    /** The latest time that was not told before, once. */
    synchronized Optional<Duration> take(String deployment) {
        return Optional.ofNullable(news.remove(deployment));
    }

    /** A time that was taken and could not be told; a later one stands. */
    synchronized void putBack(String deployment, Duration took) {
        news.putIfAbsent(deployment, took);
    }
}
