package dev.outpost.rest.cluster;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a pool.
 *
 * @param gpu a kind of the catalogue, or {@code any}
 * @param min the minimum number of waiting machines; 0 by default
 * @param max the maximum number of waiting machines; {@code min} by default, but at least 1
 * @param idle the period in which claims are counted, such as {@code PT10M}: as many machines wait as were claimed in
 *     it
 * @param lease the lease of the requests that get its machines; {@code PT1M} by default, as clients send it
 * @param paused true if no machine shall wait; false by default
 */
public record PoolRequest(
        String gpu,
        @Nullable Integer min,
        @Nullable Integer max,
        @Nullable Duration idle,
        @Nullable Duration lease,
        @Nullable Boolean paused) {}
