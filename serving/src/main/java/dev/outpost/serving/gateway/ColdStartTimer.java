package dev.outpost.serving.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Measures the time from a request that found no replica of its deployment to the first token of a replica after it. If several requests
 * wait, the first request counts. Thread-safe.
 */
final class ColdStartTimer {
    private final LongSupplier nanoTime;
    private final Map<String, Long> asked = new HashMap<>();
    private final Map<String, Duration> news = new HashMap<>();

    ColdStartTimer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Starts the clock, because a request arrived and the deployment has no replica. */
    synchronized void asked(String deployment) {
        asked.putIfAbsent(deployment, nanoTime.getAsLong());
    }

    /** Stops the clock, because a replica of the deployment made the first token of a text. */
    synchronized void made(String deployment) {
        Optional.ofNullable(asked.remove(deployment))
                .map(begin -> Duration.ofNanos(nanoTime.getAsLong() - begin))
                .ifPresent(took -> news.put(deployment, took));
    }

    /** Stops the clock without a result, because no request waits any more, and no request was computed. */
    synchronized void forget(String deployment) {
        asked.remove(deployment);
    }

    /** Takes the latest time that was not reported yet. */
    synchronized Optional<Duration> take(String deployment) {
        return Optional.ofNullable(news.remove(deployment));
    }

    /** Puts back a time that could not be reported, unless a later time exists. */
    synchronized void putBack(String deployment, Duration took) {
        news.putIfAbsent(deployment, took);
    }
}
