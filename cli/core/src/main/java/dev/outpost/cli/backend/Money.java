package dev.outpost.cli.backend;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts in billionths of the currency's unit, as people read them. */
final class Money {
    private static final int NANO_DIGITS = 9;
    private static final long SECONDS_PER_HOUR = 3600;

    private Money() {}

    /** All digits that are not zero, and at least two. */
    static String text(long nanos) {
        BigDecimal exact = BigDecimal.valueOf(nanos, NANO_DIGITS).stripTrailingZeros();
        return exact.scale() < 2 ? exact.setScale(2, RoundingMode.UNNECESSARY).toPlainString() : exact.toPlainString();
    }

    static String perHour(long nanosPerSecond) {
        return nanosPerSecond == 0
                ? "none is set"
                : text(Math.multiplyExact(nanosPerSecond, SECONDS_PER_HOUR)) + " an hour";
    }
}
