package dev.outpost.models.training;

import java.time.Duration;

/**
 * A complete checkpoint.
 *
 * @param step the step after which it was made
 * @param uri its location
 * @param bytes the size of its files
 * @param pause how long training paused for it
 * @param time how long the write took, while training continued
 */
public record SavedCheckpoint(long step, String uri, long bytes, Duration pause, Duration time) {}
