package dev.outpost.backend.model;

import java.time.Duration;

/**
 * How patient the backend is.
 *
 * @param startTimeout from admission until a machine is ready
 * @param lostGrace how long a machine may be out of sight
 * @param waitLimit how long a request waits for its admission
 */
public record LifeSettings(Duration startTimeout, Duration lostGrace, Duration waitLimit) {
    /** The time that a request waits unless a setting says otherwise. */
    public static final Duration WAIT_LIMIT = Duration.ofHours(24);

    /** With {@link #WAIT_LIMIT}. */
    public LifeSettings(Duration startTimeout, Duration lostGrace) {
        this(startTimeout, lostGrace, WAIT_LIMIT);
    }
}
