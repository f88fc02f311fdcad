package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class MoneyFormatTest {
    @Test
    void peopleSeeTwoPlaces() {
        assertEquals("0.00", MoneyFormat.text(0));
        assertEquals("0.00", MoneyFormat.text(1));
        assertEquals("12.40", MoneyFormat.text(12_400_000_000L));
        assertEquals("9223372036.85", MoneyFormat.text(Long.MAX_VALUE));
    }

    @Test
    void currencyStandsBehindTheAmount() {
        assertEquals("12.40 EUR", MoneyFormat.text(12_400_000_000L, "EUR"));
        assertEquals("12.40", MoneyFormat.text(12_400_000_000L, null));
    }

    @Test
    void priceIsShownAsItWasSet() {
        assertEquals("1.25 EUR an hour", MoneyFormat.perHour(new BigDecimal("1.25"), "EUR"));
        assertEquals("0.0005 an hour", MoneyFormat.perHour(new BigDecimal("0.0005"), null));
        assertEquals("none is set", MoneyFormat.perHour(BigDecimal.ZERO, null));
    }
}
