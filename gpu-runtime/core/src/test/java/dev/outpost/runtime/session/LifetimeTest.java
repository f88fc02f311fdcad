package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LifetimeTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Lifetime lifetime = lifetime(Duration.ofSeconds(30), Duration.ofMinutes(10));

    @Test
    void aMachineThatNobodyIsHeardOfIsUnused() {
        assertEquals("nothing", judge(30, 0, 0));
        assertEquals("unused: no client has sent anything for 30 s", judge(30.001, 0, 0));
    }

    @Test
    void aMachineThatNobodyUsesIsIdleWhoeverIsThere() {
        assertEquals("nothing", judge(600, 599, 0));
        assertEquals("idle: no instruction arrived for 10 min", judge(600.001, 600, 0));
    }

    @Test
    void aUseIsForgottenWithItsClient() {
        assertEquals("unused: no client has sent anything for 30 s", judge(40, 5, 39));
    }

    @Test
    void absentLimitIsNoLimit() {
        long century = Duration.ofDays(36_500).toNanos();
        assertEquals(Optional.empty(), Lifetime.UNBOUNDED.judge(century, 0, 0));
    }

    /** A monotonic clock may start at any number, and may overflow. */
    @Test
    void timeMayPassTheLargestNumber() {
        long before = Long.MAX_VALUE - SECOND;
        assertEquals(Optional.empty(), lifetime.judge(before + 2 * SECOND, before, before));
        assertEquals(
                RuntimeTermination.Kind.UNUSED,
                lifetime.judge(before + 31 * SECOND, before, before)
                        .orElseThrow()
                        .kind());
    }

    @Test
    void messagesPrintTimesReadably() {
        assertEquals("idle: no instruction arrived for 250 ms", idleFor(Duration.ofMillis(250)));
        assertEquals("idle: no instruction arrived for 90 s", idleFor(Duration.ofSeconds(90)));
        assertEquals("idle: no instruction arrived for 2 h", idleFor(Duration.ofHours(2)));
    }

    @Test
    void aTimeOfNothingIsRefused() {
        var none = assertThrows(IllegalArgumentException.class, () -> lifetime(Duration.ZERO, Duration.ofMinutes(1)));
        assertEquals("unused: expected a time above zero, got PT0S", none.getMessage());
        var less = assertThrows(
                IllegalArgumentException.class, () -> lifetime(Duration.ofMinutes(1), Duration.ofMillis(-1)));
        assertEquals("idle: expected a time above zero, got PT-0.001S", less.getMessage());
    }

    @Test
    void theReasonIsOneLine() {
        assertEquals("drained: it was told to stop", RuntimeTermination.DRAINED.line());
        assertEquals(
                "failed: no key arrived: where is it?",
                RuntimeTermination.failed("no key arrived:\n  where is it?\n").line());
    }

    private String judge(double nowSeconds, long heardSeconds, long usedSeconds) {
        return lifetime.judge((long) (nowSeconds * SECOND), heardSeconds * SECOND, usedSeconds * SECOND)
                .map(RuntimeTermination::line)
                .orElse("nothing");
    }

    private static String idleFor(Duration idle) {
        Lifetime lifetime = new Lifetime(Optional.empty(), Optional.of(idle));
        return lifetime.judge(idle.toNanos() + 1, 0, 0).orElseThrow().line();
    }

    private static Lifetime lifetime(Duration unused, Duration idle) {
        return new Lifetime(Optional.of(unused), Optional.of(idle));
    }
}
