package dev.outpost.backend.model;

import java.time.Duration;

/**
 * The timeouts of machines and requests.
 *
 * @param startTimeout the longest time from admission until a machine is ready
 * @param lostGrace the longest time that a machine may be missing from its cluster
 * @param waitLimit the longest time that a request waits for its admission
 */
public record LifeSettings(Duration startTimeout, Duration lostGrace, Duration waitLimit) {
    /** The default of the longest time that a request waits. */
    public static final Duration WAIT_LIMIT = Duration.ofHours(24);

    /** Uses {@link #WAIT_LIMIT} for the wait of requests. */
    public LifeSettings(Duration startTimeout, Duration lostGrace) {
        this(startTimeout, lostGrace, WAIT_LIMIT);
    }
}
