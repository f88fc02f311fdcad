package dev.outpost.backend.api;

import dev.outpost.backend.model.usage.Price;
import java.math.BigDecimal;
import java.util.Optional;

/** The form of amounts in the API: exact decimals in units of one currency. */
public final class Money {
    private final String currency;

    /**
     * @param currency the code of the currency of all amounts, such as EUR; empty if the operator has not set a
     *     currency
     */
    public Money(Optional<String> currency) {
        this.currency = currency.orElse(null);
    }

    /** The code of the currency of all amounts; null if the operator has not set a currency. */
    public String currency() {
        return currency;
    }

    /** @param nanos billionths of the currency's unit */
    public static BigDecimal of(long nanos) {
        return plain(BigDecimal.valueOf(nanos, Price.DIGITS));
    }

    /** Removes zeros at the end, and never uses an exponent. */
    public static BigDecimal plain(BigDecimal amount) {
        BigDecimal exact = amount.stripTrailingZeros();
        return exact.setScale(Math.max(0, exact.scale()));
    }

    /**
     * Checks an amount of a request and returns it unrounded. Fails if it has more than {@code digits} decimals.
     *
     * @param most the largest allowed amount
     */
    public static BigDecimal checked(String what, BigDecimal amount, BigDecimal most, int digits) {
        if (amount == null || amount.signum() < 0 || amount.compareTo(most) > 0) {
            throw Problem.invalid(what + ": expected 0 to " + most.toPlainString() + ", got "
                    + (amount == null ? "nothing" : amount.toPlainString()));
        }
        if (amount.stripTrailingZeros().scale() > digits) {
            throw Problem.invalid(
                    what + ": expected up to " + digits + " digits behind the point, got " + amount.toPlainString());
        }
        return amount;
    }
}
