package dev.outpost.rest.cluster;

import java.time.Duration;

/**
 * A pool as it shall be.
 *
 * @param gpu a name of the catalogue, or {@code any}
 * @param min how many machines wait at the least; 0 unless given
 * @param max how many wait at the most; {@code min} or 1 unless given
 * @param idle for how long claims count, such as {@code PT10M}: as many wait as were claimed in that time
 * @param lease which requests get its machines: those with this lease, {@code PT1M} unless given, as clients ask for
 * @param paused whether none shall wait
 */
public record PoolRequest(String gpu, Integer min, Integer max, Duration idle, Duration lease, Boolean paused) {}
