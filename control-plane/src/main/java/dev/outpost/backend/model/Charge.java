package dev.outpost.backend.model;

import java.time.Instant;

/**
 * A part of a {@link Usage} with one price.
 *
 * @param nanos what it costs: seconds times GPUs times price, in billionths of the currency's unit
 */
public record Charge(Instant from, Instant to, int gpus, long nanosPerSecond, long nanos, String began, String ended) {
    public long seconds() {
        return to.getEpochSecond() - from.getEpochSecond();
    }
}
