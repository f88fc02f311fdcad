package dev.outpost.provider.k8s.task;

import java.time.Duration;

/**
 * How often the cluster is asked, and how long.
 *
 * @param firstRetry the longest pause before what failed is tried a second time; it doubles with each attempt
 * @param longestRetry where it stops doubling
 * @param reopen how long at least from one watch to the next, where watches do not last
 * @param whileStarting how often a starting machine is looked at, whatever the watches say
 * @param whileRunning the same of a machine that runs
 * @param events how often the events of a machine that does not run yet are read
 * @param refusal how long a refusal is taken for one of an API server that has just started
 * @param removal how long a deletion is tried
 * @param operation how long any other operation is repeated while a caller waits
 */
public record PollingSettings(
        Duration firstRetry,
        Duration longestRetry,
        Duration reopen,
        Duration whileStarting,
        Duration whileRunning,
        Duration events,
        Duration refusal,
        Duration removal,
        Duration operation) {

    /**
     * The removal is shorter than the ten seconds for which a closing client waits. An operation is longer than two requests that are
     * not answered, each of which the library gives ten seconds: then a second one may be answered by another API server.
     */
    public static final PollingSettings STANDARD = new PollingSettings(
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8),
            Duration.ofSeconds(25));
}
