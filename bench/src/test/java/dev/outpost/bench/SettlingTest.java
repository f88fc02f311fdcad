package dev.outpost.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The length of the warm-up of repeated runs, on a simulated clock. */
@Tag("quick")
class SettlingTest {
    private long now;

    @Test
    void constantTimesAreWarmSoon() {
        // The first of its windows of 3 s is the best so far, three more gain nothing.
        assertEquals(12, seconds(new WarmUp(1, 1), run -> 10), 0.1);
    }

    @Test
    void fallingTimesAreWaitedFor() {
        double seconds = seconds(new WarmUp(1, 1), run -> Math.max(10, 30 - run * 0.02));
        assertTrue(seconds > 20 && seconds < 40, () -> seconds + " s");
    }

    @Test
    void nothingIsWaitedForLongerThanAMinute() {
        assertEquals(60, seconds(new WarmUp(1, 1), run -> 1 + 1e3 * Math.exp(-now / 15e9)), 1);
    }

    @Test
    void theLeastIsKept() {
        assertEquals(30, seconds(new WarmUp(1, 30), run -> 10), 0.1);
        assertEquals(50, seconds(new WarmUp(50, 1), run -> 1_000), 0.1);
    }

    @Test
    void aQuickOneIsOverWithItsRepetitions() {
        assertEquals(0.02, seconds(new WarmUp(2, 0), run -> 10), 0.001);
    }

    private double seconds(WarmUp least, IntToDoubleFunction milliseconds) {
        now = 0;
        Settling settling = new Settling(least, () -> now);
        for (int run = 0; !settling.isOver(); run++) {
            double each = milliseconds.applyAsDouble(run);
            now += (long) (each * 1e6);
            settling.add(each);
        }
        return now / 1e9;
    }
}
