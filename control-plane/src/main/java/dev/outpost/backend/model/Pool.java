package dev.outpost.backend.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The row of a pool of machines that are started before a request needs them.
 *
 * @param version counts the changes that operators make
 * @param gpu the kind of GPU, by the catalogue's name
 * @param min the minimum number of waiting machines
 * @param max the maximum number of waiting machines
 * @param idle the period in which claims are counted: the pool keeps as many machines waiting as were claimed in it
 * @param lease the lease that a request must have, since machines of the pool are started with it
 * @param isPaused true if no machine shall wait
 * @param failures the number of machines that failed in a row
 * @param retryAt the time before which no machine is started
 * @param seenAt the time up to which ended machines are already counted
 * @param text a sentence about its state
 */
public record Pool(
        String name,
        long version,
        String gpu,
        int min,
        int max,
        Duration idle,
        Duration lease,
        boolean isPaused,
        int failures,
        Optional<Instant> retryAt,
        Instant seenAt,
        String text) {

    /** The organisation of unclaimed members. No key belongs to it. */
    public static final String ORGANISATION = "outpost.pools";

    private static final int MAX = 1_000;

    /** The shortest lease. For a shorter lease the backend would have to renew leases all the time. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(15);

    private static final Duration LONGEST = Duration.ofDays(7);

    public Pool {
        if (min < 0 || max < Math.max(1, min) || max > MAX) {
            throw new IllegalArgumentException(
                    "min, max: expected 0 <= min <= max and 1 <= max <= " + MAX + ", got " + min + " and " + max);
        }
        if (idle.isNegative() || idle.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("idle: expected 0 s to " + LONGEST.toDays() + " days, got " + idle);
        }
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("lease: expected " + SHORTEST_LEASE.toSeconds() + " s to "
                    + LONGEST.toDays() + " days, got " + lease);
        }
    }

    /** True if the other pool's machines can serve as machines of this pool. */
    public boolean isAlike(Pool other) {
        return gpu.equals(other.gpu) && lease.equals(other.lease);
    }

    Pool after(int failed, Optional<Instant> retry, Instant seen, String sentence) {
        return new Pool(name, version, gpu, min, max, idle, lease, isPaused, failed, retry, seen, sentence);
    }
}
