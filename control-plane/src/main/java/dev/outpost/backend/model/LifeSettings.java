package dev.outpost.backend.model;

import java.time.Duration;

/**
 * How patient the backend is.
 *
 * @param startTimeout from admission until a machine is ready
 * @param lostGrace how long a machine may be out of sight
 */
public record LifeSettings(Duration startTimeout, Duration lostGrace) {}
