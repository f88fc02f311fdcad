package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MoneyTest {
    @Test
    void amountsAreExact() {
        assertEquals("0.00", Money.text(0));
        assertEquals("0.000000001", Money.text(1));
        assertEquals("12.40", Money.text(12_400_000_000L));
        assertEquals("9223372036.854775807", Money.text(Long.MAX_VALUE));
    }

    @Test
    void priceIsPerHour() {
        assertEquals("3.60 an hour", Money.perHour(1_000_000));
        assertEquals("none is set", Money.perHour(0));
    }
}
