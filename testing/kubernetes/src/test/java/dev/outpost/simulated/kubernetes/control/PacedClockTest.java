package dev.outpost.simulated.kubernetes.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the time in the cluster. */
class PacedClockTest {
    private final AtomicLong nanos = new AtomicLong(5);
    private final PacedClock clock = new PacedClock(nanos::get);

    @Test
    void timePassesAsForUs() {
        pass(Duration.ofSeconds(3));
        assertEquals(Duration.ofSeconds(3), clock.now());
    }

    @Test
    void aPaceCountsFromWhereItIsSet() {
        pass(Duration.ofSeconds(3));
        clock.pace(100);
        pass(Duration.ofSeconds(1));
        assertEquals(Duration.ofSeconds(103), clock.now());
        assertEquals(Duration.ofMillis(10), clock.real(Duration.ofSeconds(1)));
    }

    @Test
    void timeCanBeMovedOn() {
        clock.advance(Duration.ofHours(2));
        pass(Duration.ofSeconds(1));
        assertEquals(Duration.ofHours(2).plusSeconds(1), clock.now());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
