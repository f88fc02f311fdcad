package dev.outpost.backend.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenPriceTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private static TokenUse use(Instant at) {
        return new TokenUse("chat", at, 2, 100, 30, 7, 4);
    }

    @Test
    void eachKindOfTokenAndEachSecondHasItsPrice() {
        TokenPrice price = new TokenPrice("chat", NOON, 1000, 100, 5000, 3);
        assertEquals(70 * 1000 + 30 * 100 + 7 * 5000 + 4 * 3, TokenPrice.cost(List.of(price), use(NOON)));
    }

    @Test
    void theLatestPriceWhoseTimeHasComeHolds() {
        TokenPrice first = new TokenPrice("chat", NOON, 0, 0, 1, 0);
        TokenPrice second = new TokenPrice("chat", NOON.plusSeconds(60), 0, 0, 2, 0);
        List<TokenPrice> prices = List.of(second, first);
        assertEquals(0, TokenPrice.cost(prices, use(NOON.minusSeconds(1))));
        assertEquals(7, TokenPrice.cost(prices, use(NOON.plusSeconds(59))));
        assertEquals(14, TokenPrice.cost(prices, use(NOON.plusSeconds(60))));
    }

    @Test
    void countsThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TokenUse("chat", NOON, 1, -1, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new TokenUse("chat", NOON, 1, 5, 6, 0, 0));
    }
}
