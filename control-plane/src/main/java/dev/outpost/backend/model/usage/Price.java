package dev.outpost.backend.model.usage;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * The price of one GPU of a kind from a date on, until the next price of that kind.
 *
 * @param perHour units of the currency for a GPU and hour, exactly as the price was set: up to {@link #DIGITS} decimals
 */
public record Price(String gpu, Instant from, BigDecimal perHour) {
    /** Billionths in a unit of the currency. */
    public static final long NANOS = 1_000_000_000L;

    /** The maximum number of decimals of an amount. */
    public static final int DIGITS = 9;

    private static final long SECONDS_PER_HOUR = 3600;

    public Price {
        if (perHour.signum() < 0 || perHour.stripTrailingZeros().scale() > DIGITS) {
            throw new IllegalArgumentException(
                    "price: expected 0 or more with up to " + DIGITS + " digits behind the point, got " + perHour);
        }
    }

    /** @param nanosPerSecond billionths of the currency's unit for each GPU and second */
    public Price(String gpu, Instant from, long nanosPerSecond) {
        this(gpu, from, BigDecimal.valueOf(nanosPerSecond, DIGITS).multiply(BigDecimal.valueOf(SECONDS_PER_HOUR)));
    }

    public static Price perHour(String gpu, Instant from, BigDecimal perHour) {
        return new Price(gpu, from, perHour);
    }

    /** Returns a price with the same amount for another kind of GPU, from another time on. */
    Price of(String kind, Instant time) {
        return new Price(kind, time, perHour);
    }

    /** Billionths of the currency's unit for an hour. */
    public BigInteger nanosPerHour() {
        return perHour.movePointRight(DIGITS).toBigIntegerExact();
    }

    /** Billionths of the currency's unit for a second, rounded. */
    public long nanosPerSecond() {
        return perHour.movePointRight(DIGITS)
                .divide(BigDecimal.valueOf(SECONDS_PER_HOUR), 0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** Returns {@link #nanosPerSecond}, but rounded up, so that reservations are never too small. */
    long nanosPerSecondAtMost() {
        return perHour.movePointRight(DIGITS)
                .divide(BigDecimal.valueOf(SECONDS_PER_HOUR), 0, RoundingMode.CEILING)
                .longValueExact();
    }

    /**
     * Returns the cost of some GPUs in the first seconds of this price, in billionths, rounded down. The cost of a
     * later time is the difference of two such costs. So the sum of costs does not depend on how a time is split, and
     * an hour costs exactly the price.
     */
    long nanos(int gpus, long seconds) {
        BigInteger nanos = nanosPerHour()
                .multiply(BigInteger.valueOf(gpus))
                .multiply(BigInteger.valueOf(seconds))
                .divide(BigInteger.valueOf(SECONDS_PER_HOUR));
        return nanos.bitLength() < Long.SIZE ? nanos.longValue() : Long.MAX_VALUE;
    }
}
