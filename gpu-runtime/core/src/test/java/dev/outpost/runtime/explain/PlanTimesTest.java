package dev.outpost.runtime.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTimesTest {
    @Test
    void theFirstRunsAreTimedAndThenOneInEight() {
        PlanTimes times = new PlanTimes(1);
        StringBuilder timed = new StringBuilder();
        for (int run = 1; run <= 24; run++) {
            timed.append(times.begin() ? '1' : '0');
        }
        assertEquals("111111110000000100000001", timed.toString());
        assertEquals(24, times.runs());
    }

    @Test
    void theLatestAreKeptOldestFirst() {
        PlanTimes times = new PlanTimes(2);
        for (int run = 1; run <= 24; run++) {
            if (times.begin()) {
                times.add(times.round(), 0, 1, run);
                times.add(times.round(), 1, 2, 10L * run);
            }
        }
        assertEquals(List.of(3L, 4L, 5L, 6L, 7L, 8L, 16L, 24L), times.of(0).recentNanos());
        assertEquals(240, times.of(1).lastNanos());
        assertEquals(70, times.of(1).medianNanos());
    }

    /** A task may fall back to one kernel per instruction, or be skipped because its operands are lost. */
    @Test
    void severalKernelsOfATaskAddUpAndNoneIsNoTime() {
        PlanTimes times = new PlanTimes(2);
        times.begin();
        times.add(times.round(), 0, 1, 3);
        times.add(times.round(), 0, 1, 4);
        times.begin();
        assertEquals(List.of(7L), times.of(0).recentNanos());
        assertEquals(List.of(), times.of(1).recentNanos());
        assertEquals(0, times.of(1).medianNanos());
    }
}
