package dev.outpost.cli.backend;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Formats amounts for people: two decimals, and the currency that the backend names. The API has all digits. */
final class MoneyFormat {
    private static final int NANO_DIGITS = 9;

    private MoneyFormat() {}

    /** @param nanos billionths of the currency's unit */
    static String text(long nanos) {
        return text(BigDecimal.valueOf(nanos, NANO_DIGITS));
    }

    static String text(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP).toPlainString();
    }

    /** Formats an amount with the currency, if the backend names one. */
    static String text(long nanos, String currency) {
        return text(nanos) + currency(currency);
    }

    /** Returns a space and the currency; empty if the backend names none. */
    static String currency(String currency) {
        return currency == null ? "" : " " + currency;
    }

    /** Returns the exact price, with at least two decimals. */
    static String perHour(BigDecimal price, String currency) {
        return price.signum() == 0 ? "none is set" : exact(price) + currency(currency) + " an hour";
    }

    /** Returns all digits of a price, with at least two decimals. */
    static String exact(BigDecimal price) {
        BigDecimal digits = price.stripTrailingZeros();
        return digits.setScale(Math.max(2, digits.scale()), RoundingMode.UNNECESSARY)
                .toPlainString();
    }
}
