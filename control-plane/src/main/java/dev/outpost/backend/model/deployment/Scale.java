package dev.outpost.backend.model.deployment;

import java.time.Duration;

/**
 * The bounds on the number of a deployment's replicas.
 *
 * @param min the minimum number of replicas; with 0 an idle deployment costs nothing
 * @param max the maximum number of replicas
 * @param target the number of requests that a replica computes at a time before another replica starts
 * @param idle the time without requests after which the last replica ends, if {@code min} is 0
 */
public record Scale(int min, int max, int target, Duration idle) {
    /** The maximum number of replicas that a deployment can be given. */
    public static final int MAX = 1_000;

    public Scale {
        if (min < 0 || max < Math.max(1, min) || max > MAX) {
            throw new IllegalArgumentException(
                    "min, max: expected 0 <= min <= max and 1 <= max <= " + MAX + ", got " + min + " and " + max);
        }
        if (target < 1) {
            throw new IllegalArgumentException("target: expected 1 or more requests a replica, got " + target);
        }
        if (idle.isNegative()) {
            throw new IllegalArgumentException("idle: expected no negative time, got " + idle);
        }
    }

    int clamp(long replicas) {
        return Math.clamp(replicas, min, max);
    }
}
