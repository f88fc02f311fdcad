package dev.outpost.system.k8s;

import dev.outpost.channel.Backoff;
import dev.outpost.provider.k8s.task.PollingSettings;
import java.time.Duration;

/**
 * Durations on the cluster of this run. The test cluster starts a machine in milliseconds; a real one takes
 * seconds.
 *
 * @param lease the lease of a machine in a test that waits for its end
 * @param session a session's lease that a test waits for
 * @param idle the idle time of a machine in a test that waits for its end
 * @param hopeless the time for which a start is tried that cannot succeed, and that gives the reason
 * @param timeout the longest wait of a test for an expected event
 * @param polling the polling settings of the provider
 */
public record Timings(
        Duration lease, Duration session, Duration idle, Duration hopeless, Duration timeout, PollingSettings polling) {

    private static final PollingSettings IMPATIENT = new PollingSettings(
            Backoff.doubling(Duration.ofMillis(20), Duration.ofMillis(200)).withJitter(0.5),
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(8),
            Duration.ofSeconds(10));

    private static final Timings TEST = new Timings(
            Duration.ofSeconds(2),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ofMillis(500),
            Duration.ofMinutes(3),
            IMPATIENT);

    private static final Timings REAL = new Timings(
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15),
            Duration.ofMinutes(3),
            PollingSettings.STANDARD);

    /** The timings of the cluster that {@link ChosenCluster} opens. */
    public static Timings ofThisRun() {
        return ChosenCluster.isReal() ? REAL : TEST;
    }
}
