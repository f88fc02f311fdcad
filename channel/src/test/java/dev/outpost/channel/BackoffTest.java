package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Backoff DOUBLING = Backoff.doubling(FIRST, Duration.ofMillis(350));
    private static final Backoff DRAWN = DOUBLING.withJitter(0.5);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void pausesDoubleUpToTheLongest() {
        Backoff.Pauses pauses = DOUBLING.begin(nanos::get, new Drawing(0));
        assertPauses(pauses, 100, 200, 350, 350);
    }

    @Test
    void pausesGrowByTheFactor() {
        Backoff slow = new Backoff(FIRST, 1.5, Duration.ofSeconds(1), 0, Duration.ofDays(1));
        assertPauses(slow.begin(nanos::get, new Drawing(0)), 100, 150, 225);
    }

    @Test
    void jitterIsDrawnFromTheEndOfAPause() {
        assertPauses(DRAWN.begin(nanos::get, new Drawing(0)), 50, 100, 175);
        assertPauses(DRAWN.begin(nanos::get, new Drawing(1)), 100, 200, 350);
    }

    @Test
    void pausesOfTwoClientsDiffer() {
        RandomGenerator random = new Random(1);
        assertNotEquals(
                DRAWN.begin(nanos::get, random).next(),
                DRAWN.begin(nanos::get, random).next());
    }

    @Test
    void successResetsThePause() {
        Backoff.Pauses pauses = DOUBLING.begin(nanos::get, new Drawing(0));
        pauses.next();
        pauses.next();
        pauses.reset();
        assertPauses(pauses, 100, 200);
    }

    @Test
    void lastPauseEndsAtTheTimeout() {
        Backoff.Pauses pauses = DOUBLING.withTimeout(Duration.ofMillis(250)).begin(nanos::get, new Drawing(0));
        assertPauses(pauses, 100);
        nanos.addAndGet(FIRST.toNanos());
        assertPauses(pauses, 150);
        nanos.addAndGet(Duration.ofMillis(150).toNanos());
        assertEquals(Optional.empty(), pauses.next());
    }

    /** A defect of the clock must not end a loop that goes on forever. */
    @Test
    void clockIsNotReadWithoutATimeout() {
        LongSupplier counted = () -> {
            nanos.incrementAndGet();
            return nanos.get();
        };
        Backoff.Pauses pauses = DOUBLING.begin(counted, new Drawing(0));
        long reads = nanos.get();
        assertPauses(pauses, 100, 200);
        assertEquals(reads, nanos.get());
    }

    @Test
    void noSleepAfterTheTimeout() throws InterruptedException {
        assertFalse(DOUBLING.withTimeout(Duration.ZERO).begin().sleep());
        assertTrue(Backoff.doubling(Duration.ofNanos(1), FIRST).begin().sleep());
    }

    @Test
    void invalidPausesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Backoff.doubling(Duration.ZERO, FIRST));
        assertThrows(IllegalArgumentException.class, () -> Backoff.doubling(FIRST, FIRST.minusNanos(1)));
        assertThrows(IllegalArgumentException.class, () -> DOUBLING.withJitter(1.1));
    }

    private static void assertPauses(Backoff.Pauses pauses, long... millis) {
        for (long expected : millis) {
            assertEquals(Optional.of(Duration.ofMillis(expected)), pauses.next());
        }
    }

    /** Draws the same part of each range. */
    private record Drawing(double part) implements RandomGenerator {
        @Override
        public long nextLong() {
            throw new AssertionError("only bounded numbers are drawn");
        }

        @Override
        public long nextLong(long bound) {
            return Math.round(part * (bound - 1));
        }
    }
}
