package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RateLimiterTest {
    private static final int BURST = 20;

    private final AtomicLong nanos = new AtomicLong(-5);
    private final RateLimiter rates = new RateLimiter(0.5, BURST, nanos::get);

    private void takeAll(String key) {
        for (int i = 0; i < BURST; i++) {
            assertEquals(Optional.empty(), rates.take(key), key + " " + i);
        }
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void burstIsLetThroughAndThenTheRate() {
        takeAll("ada");
        assertEquals(Optional.of(Duration.ofSeconds(2)), rates.take("ada"));
        pass(Duration.ofSeconds(1));
        assertEquals(Optional.of(Duration.ofSeconds(1)), rates.take("ada"), "a refusal takes nothing");
        pass(Duration.ofSeconds(1));
        assertEquals(Optional.empty(), rates.take("ada"));
        assertEquals(Optional.of(Duration.ofSeconds(2)), rates.take("ada"));
    }

    @Test
    void bucketHoldsNoMoreThanABurst() {
        takeAll("ada");
        pass(Duration.ofDays(1));
        takeAll("ada");
        assertEquals(Optional.of(Duration.ofSeconds(2)), rates.take("ada"));
    }

    @Test
    void eachKeyHasItsOwnBucket() {
        takeAll("ada");
        takeAll("bob");
    }

    @Test
    void tokenThatWasGivenBackCanBeTaken() {
        rates.refund("ada");
        takeAll("ada");
        rates.refund("ada");
        assertEquals(Optional.empty(), rates.take("ada"));
        assertEquals(Optional.of(Duration.ofSeconds(2)), rates.take("ada"));
    }
}
