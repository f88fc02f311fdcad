package dev.outpost.backend.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * The price of one GPU of a kind from a date on, until the next price of that kind.
 *
 * @param nanosPerSecond billionths of the currency's unit for each GPU and second
 */
public record Price(String gpu, Instant from, long nanosPerSecond) {
    /** Billionths that make a unit of the currency. */
    public static final long NANOS = 1_000_000_000L;

    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    public Price {
        if (nanosPerSecond < 0) {
            throw new IllegalArgumentException("price: expected 0 or more, got " + nanosPerSecond);
        }
    }

    /** A price that is said by the hour, rounded to the nano-unit a second. */
    public static Price perHour(String gpu, Instant from, BigDecimal perHour) {
        return new Price(
                gpu,
                from,
                perHour.multiply(BigDecimal.valueOf(NANOS))
                        .divide(SECONDS_PER_HOUR, 0, RoundingMode.HALF_UP)
                        .longValueExact());
    }

    public BigDecimal perHour() {
        return BigDecimal.valueOf(nanosPerSecond).multiply(SECONDS_PER_HOUR).movePointLeft(9);
    }
}
