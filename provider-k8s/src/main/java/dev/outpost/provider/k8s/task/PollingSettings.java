package dev.outpost.provider.k8s.task;

import dev.outpost.channel.Backoff;
import java.time.Duration;

/**
 * The intervals and timeouts of requests to the cluster.
 *
 * @param retry the pauses before retries
 * @param reopen the minimum time between the starts of two watches, if watches end early
 * @param whileStarting the interval at which a starting machine is read, regardless of watches
 * @param whileRunning the same for a running machine
 * @param events the interval at which the events of a starting machine are read
 * @param refusal the time for which a refusal is attributed to an API server that has just started
 * @param removal the time for which a deletion is retried
 * @param operation the time for which any other operation is retried while a caller waits
 */
public record PollingSettings(
        Backoff retry,
        Duration reopen,
        Duration whileStarting,
        Duration whileRunning,
        Duration events,
        Duration refusal,
        Duration removal,
        Duration operation) {

    /**
     * The standard settings. The removal is shorter than the ten seconds for which a closing client waits. The time for an operation is
     * longer than the time for two unanswered requests, because a later request may reach another API server. The library waits ten seconds
     * for each request.
     */
    public static final PollingSettings STANDARD = new PollingSettings(
            Backoff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5)).withJitter(0.5),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8),
            Duration.ofSeconds(25));
}
