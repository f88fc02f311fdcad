package dev.outpost.models.training;

import java.time.Duration;

/**
 * A complete checkpoint.
 *
 * @param step the step after which it was made
 * @param uri its location
 * @param bytes the size of its files
 * @param pause the time that training paused for it
 * @param time the time of the write, during which training continued
 */
public record SavedCheckpoint(long step, String uri, long bytes, Duration pause, Duration time) {}
