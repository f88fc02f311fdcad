package dev.outpost.client.record;

/**
 * The times at which a thread recorded a segment, in nanoseconds of the profile's clock.
 *
 * @param track the thread's track in the profile
 * @param begunNanos the time at which its first instruction was recorded
 * @param sealingNanos the time at which its sealing began
 */
public record SegmentTimes(int track, long begunNanos, long sealingNanos) {}
