package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RateLimitsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RateLimits rates = new RateLimits(10, nanos::get);

    private void take(String key, int times) {
        for (int i = 0; i < times; i++) {
            rates.take(key);
        }
    }

    @Test
    void excessRequestsAreToldWhenToRetry() {
        take("ada", 100);
        Problem refused = assertThrows(Problem.class, () -> rates.take("ada"));
        assertEquals(Problem.Code.TOO_MANY_REQUESTS, refused.code());
        assertEquals(100, refused.retryAfter().orElseThrow().toMillis());
        assertTrue(refused.getMessage().contains("10 requests a second"), refused::getMessage);
        nanos.addAndGet(100_000_000);
        rates.take("ada");
    }

    @Test
    void eachKeyHasItsOwnLimit() {
        take("ada", 100);
        take("bob", 100);
    }
}
