package dev.outpost.cli.backend;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts as people read them: two places, and the currency that the backend names. The API has all digits. */
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

    /** With the currency, if the backend names one. */
    static String text(long nanos, String currency) {
        return text(nanos) + currency(currency);
    }

    /** A space and the currency, or nothing where the backend names none. */
    static String currency(String currency) {
        return currency == null ? "" : " " + currency;
    }

    /** A price is shown exactly, with two places at least; null is none. */
    static String perHour(BigDecimal price, String currency) {
        return price == null || price.signum() == 0 ? "none is set" : exact(price) + currency(currency) + " an hour";
    }

    /** All digits of a price, and two places at least. */
    static String exact(BigDecimal price) {
        BigDecimal digits = price.stripTrailingZeros();
        return digits.setScale(Math.max(2, digits.scale()), RoundingMode.UNNECESSARY)
                .toPlainString();
    }
}
