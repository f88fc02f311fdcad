package dev.outpost.client.record;

/**
 * When a thread recorded a segment, in nanoseconds of the profile's clock.
 *
 * @param track the thread's track in the profile
 * @param begunNanos when its first instruction was recorded
 * @param sealingNanos when its sealing began
 */
public record SegmentTimes(int track, long begunNanos, long sealingNanos) {}
