package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RecomputeStatsTest {
    private final RecomputeStats stats = new RecomputeStats();

    /** Runs a plan several times; returns the number of runs that did not store. */
    private int runs(int count, boolean isAsked) {
        int left = 0;
        for (int run = 0; run < count; run++) {
            if (!stats.decideToStore()) {
                left++;
                stats.left(1);
                if (isAsked) {
                    stats.asked();
                }
            }
        }
        return left;
    }

    @Test
    void valueThatIsNeverReadIsNeverStored() {
        assertEquals(100, runs(100, false));
    }

    @Test
    void aLookIsNoHabit() {
        stats.left(1);
        stats.asked();
        assertFalse(stats.decideToStore());
    }

    @Test
    void valueThatIsReadIsStoredExceptInTrials() {
        assertEquals(2 + 98 / 16, runs(100, true));
    }

    /** Like a program that prints its values while it is being debugged. */
    @Test
    void looksInTheBeginningAreForgotten() {
        runs(3, true);
        assertTrue(stats.decideToStore());
        runs(200, false);
        assertEquals(100, runs(100, false));
    }

    @Test
    void valueThatIsReadLaterIsSoonStored() {
        runs(100_000, false);
        assertTrue(runs(100, true) < 50);
    }
}
