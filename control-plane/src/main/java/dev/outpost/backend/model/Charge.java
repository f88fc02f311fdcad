package dev.outpost.backend.model;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A part of a {@link UsageInterval} with one price.
 *
 * @param perHour what a GPU costs an hour, in units of the currency
 * @param nanos what it costs: time, GPUs and price multiplied, in billionths of the currency's unit
 */
public record Charge(
        Instant from,
        Instant to,
        int gpus,
        BigDecimal perHour,
        long nanosPerSecond,
        long nanos,
        String began,
        String ended) {
    public long seconds() {
        return to.getEpochSecond() - from.getEpochSecond();
    }
}
