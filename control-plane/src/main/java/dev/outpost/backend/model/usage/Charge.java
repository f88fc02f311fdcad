package dev.outpost.backend.model.usage;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A part of a {@link UsageInterval} with one price.
 *
 * @param perHour the price of a GPU for an hour, in units of the currency
 * @param nanos the cost: time, GPUs and price multiplied, in billionths of the currency's unit
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
