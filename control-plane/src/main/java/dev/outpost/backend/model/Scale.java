package dev.outpost.backend.model;

import java.time.Duration;

/**
 * How many replicas a deployment may have.
 *
 * @param min how many it has at the least; 0 lets it cost nothing while nobody asks
 * @param max how many it has at the most
 * @param target how many requests a replica computes at a time before there is another one
 * @param idle how long it has no request before the last replica goes, where {@code min} is 0
 */
public record Scale(int min, int max, int target, Duration idle) {
    /** The most replicas that a deployment can be given. */
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
