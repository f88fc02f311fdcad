package dev.outpost.backend.model.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:34:56.789Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private static Budget budget(long cap, BudgetThreshold... thresholds) {
        return new Budget(
                "acme", Optional.of("vision"), Optional.empty(), BudgetPeriod.MONTH, cap, List.of(thresholds));
    }

    @Test
    void periodsBeginByUtc() {
        assertEquals(Instant.parse("2026-01-01T00:00:00Z"), BudgetPeriod.DAY.begin(NOW));
        assertEquals(Instant.parse("2025-12-29T00:00:00Z"), BudgetPeriod.WEEK.begin(NOW), "a Monday");
        assertEquals(Instant.parse("2026-01-01T00:00:00Z"), BudgetPeriod.MONTH.begin(NOW));
        assertEquals(Instant.EPOCH, BudgetPeriod.LIFETIME.begin(NOW));
    }

    @Test
    void lowestThresholdOfAnActionIsItsBound() {
        Budget budget = budget(
                1_000,
                new BudgetThreshold(50, BudgetAction.NOTIFY),
                new BudgetThreshold(90, BudgetAction.REFUSE),
                new BudgetThreshold(100, BudgetAction.END));
        assertEquals(OptionalLong.of(900), budget.refuseBound());
        assertEquals(OptionalLong.of(1_000), budget.endBound());
        assertEquals(
                List.of("50 NOTIFY"),
                budget.reached(899).stream().map(BudgetThreshold::text).toList());
        assertEquals(
                OptionalLong.of(500),
                budget(1_000, new BudgetThreshold(50, BudgetAction.END)).refuseBound());
        assertEquals(
                OptionalLong.empty(),
                budget(1_000, new BudgetThreshold(80, BudgetAction.NOTIFY)).refuseBound());
        assertEquals("project/vision/month", budget.name());
    }

    @Test
    void machineFitsWhereItsFirstHoldDoes() {
        Budget budget = budget(10_000, new BudgetThreshold(100, BudgetAction.REFUSE));
        assertTrue(budget.admits(6_400, 0, 1, HOUR), "3600 for the first hour");
        assertFalse(budget.admits(6_401, 0, 1, HOUR));
        assertFalse(budget.admits(3_000, 1, 1, HOUR), "the other one's hour is put by");
        assertTrue(budget.admits(10_000, 0, 0, HOUR), "one that costs nothing fits");
        assertTrue(budget(0, new BudgetThreshold(80, BudgetAction.NOTIFY)).admits(7, 7, 7, HOUR));
        assertFalse(budget.admits(0, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, HOUR), "without an overflow");
    }

    @Test
    void holdEndsWhereTheBudgetDoes() {
        Budget budget = budget(10_000, new BudgetThreshold(100, BudgetAction.END));
        Instant second = Ledger.second(NOW);
        assertEquals(Optional.of(second.plus(HOUR)), budget.hold(0, 1, HOUR, NOW));
        assertEquals(Optional.of(second.plusSeconds(500)), budget.hold(9_000, 2, HOUR, NOW));
        assertEquals(Optional.of(second), budget.hold(12_000, 2, HOUR, NOW));
        assertEquals(
                Optional.empty(),
                budget(10, new BudgetThreshold(100, BudgetAction.REFUSE)).hold(99, 1, HOUR, NOW));
        assertEquals(Optional.of(Duration.ofSeconds(500)), budget.lasts(9_000, 2));
    }

    @Test
    void budgetCoversItsProjectAndKeyOnly() {
        Budget ofKey = new Budget(
                "acme",
                Optional.of("vision"),
                Optional.of("k1"),
                BudgetPeriod.DAY,
                1,
                List.of(new BudgetThreshold(1, BudgetAction.END)));
        assertTrue(ofKey.covers("vision", "k1"));
        assertFalse(ofKey.covers("vision", "k2"));
        assertFalse(ofKey.covers("speech", "k1"));
        assertEquals("key/k1/day", ofKey.name());
    }

    @Test
    void percentIsOneToAHundred() {
        assertThrows(IllegalArgumentException.class, () -> BudgetThreshold.checked(0, BudgetAction.END));
        assertThrows(IllegalArgumentException.class, () -> BudgetThreshold.checked(101, BudgetAction.END));
        assertThrows(IllegalArgumentException.class, () -> BudgetThreshold.parse("101 END"));
        assertEquals(new BudgetThreshold(80, BudgetAction.NOTIFY), BudgetThreshold.parse("80 NOTIFY"));
    }

    /** The backend is gone forever from some moment on: machines run until their holds end, and no longer. */
    @Test
    void capIsNeverOvershotWheneverTheBackendIsGone() {
        Random random = new Random(21);
        for (int run = 0; run < 500; run++) {
            long cap = 1 + random.nextInt(1_000_000);
            Budget budget = budget(cap, new BudgetThreshold(1 + random.nextInt(100), BudgetAction.END));
            long bound = budget.endBound().orElseThrow();
            Duration horizon = Duration.ofSeconds(20 + random.nextInt(3_600));
            long rate = 0;
            long spent = 0;
            Instant now = NOW;
            int looks = random.nextInt(200);
            for (int look = 0; look < looks && spent < bound; look++) {
                long more = 1 + random.nextInt(50);
                if (random.nextInt(4) == 0 && budget.admits(spent, rate, more, horizon)) {
                    rate += more;
                }
                Instant until = budget.hold(spent, rate, horizon, now).orElseThrow();
                long seconds =
                        Math.min(5, Duration.between(Ledger.second(now), until).toSeconds());
                spent += rate * seconds;
                now = now.plusSeconds(5);
                if (seconds < 5) {
                    rate = 0;
                }
            }
            Instant until = budget.hold(spent, rate, horizon, now).orElseThrow();
            long atTheEnd =
                    spent + rate * Duration.between(Ledger.second(now), until).toSeconds();
            assertTrue(atTheEnd <= bound, atTheEnd + " of " + bound);
        }
    }
}
