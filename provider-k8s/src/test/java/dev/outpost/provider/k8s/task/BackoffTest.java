package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMillis(350);

    @Test
    void pausesDoubleUpToTheLongest() {
        Backoff backoff = new Backoff(FIRST, LONGEST, new Drawing(1));
        assertEquals(Duration.ofMillis(100), backoff.next());
        assertEquals(Duration.ofMillis(200), backoff.next());
        assertEquals(Duration.ofMillis(350), backoff.next());
        assertEquals(Duration.ofMillis(350), backoff.next());
    }

    @Test
    void pausesAreDrawnFromTheUpperHalf() {
        Backoff backoff = new Backoff(FIRST, LONGEST, new Drawing(0));
        assertEquals(Duration.ofMillis(50), backoff.next());
        assertEquals(Duration.ofMillis(100), backoff.next());
        assertEquals(Duration.ofMillis(175), backoff.next());
    }

    @Test
    void pausesOfTwoClientsDiffer() {
        RandomGenerator random = new Random(1);
        Duration one = new Backoff(FIRST, LONGEST, random).next();
        Duration other = new Backoff(FIRST, LONGEST, random).next();
        assertTrue(!one.equals(other), () -> "both pause for " + one);
    }

    @Test
    void successResetsThePause() {
        Backoff backoff = new Backoff(FIRST, LONGEST, new Drawing(1));
        backoff.next();
        backoff.next();
        backoff.reset();
        assertEquals(FIRST, backoff.next());
    }

    /** Draws the same part of whatever there is to draw from. */
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
