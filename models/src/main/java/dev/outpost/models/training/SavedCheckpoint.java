package dev.outpost.models.training;

import java.time.Duration;

/**
 * A checkpoint that is whole.
 *
 * @param step behind which it was made
 * @param uri where it is
 * @param bytes of its files
 * @param pause how long training stood still for it
 * @param time how long it took to be written, while training went on
 */
public record SavedCheckpoint(long step, String uri, long bytes, Duration pause, Duration time) {}
