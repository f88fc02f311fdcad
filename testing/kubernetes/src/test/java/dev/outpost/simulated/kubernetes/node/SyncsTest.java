package dev.outpost.simulated.kubernetes.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.control.PacedClock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests when a kubelet checks again. */
class SyncsTest {
    private final PacedClock clock = new PacedClock(() -> 0);
    private final Syncs syncs = new Syncs(clock, new Random(7));

    @Test
    void aPodIsLeftAloneForAMinute() {
        clock.advance(Duration.ofMillis(59_999));
        assertFalse(syncs.take());
    }

    @Test
    void aPodIsLookedAtWithinAMinuteAndAHalf() {
        clock.advance(Duration.ofSeconds(90));
        assertTrue(syncs.take());
        assertFalse(syncs.take());
    }

    @Test
    void thePeriodStartsAnewWithEachLook() {
        clock.advance(Duration.ofSeconds(90));
        syncs.take();
        assertTrue(syncs.untilNext().compareTo(Duration.ofSeconds(60)) >= 0, () -> "in " + syncs.untilNext());
        clock.advance(Duration.ofSeconds(90));
        assertEquals(true, syncs.take());
    }
}
