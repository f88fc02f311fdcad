package dev.outpost.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StepWaitsTest {
    private final AtomicLong clock = new AtomicLong();
    private final StepWaits waits = new StepWaits(clock::get);
    private long engineNanos;

    /** A wait that takes some time, of which the machine computed for a part. */
    private void waited(long nanos, long computing) {
        waits.begin(engineNanos);
        clock.addAndGet(nanos);
        engineNanos += computing;
        waits.end(engineNanos);
    }

    @Test
    void longComputationsAreNoDistance() {
        for (int step = 0; step < 20; step++) {
            waited(500_000_000, 499_000_000);
            assertTrue(waits.isNear());
        }
    }

    @Test
    void aMachineIsFarWhenHalfOfTheWaitsSaySo() {
        for (int step = 0; step < StepWaits.REMEMBERED / 2; step++) {
            assertTrue(waits.isNear());
            waited(20_000_000, 1_000_000);
        }
        assertFalse(waits.isNear());
    }

    @Test
    void aFewSlowWaitsAreForgotten() {
        for (int step = 0; step < 100; step++) {
            waited(step % 4 == 0 ? 20_000_000 : 1_000_000, 500_000);
            assertTrue(waits.isNear());
        }
    }
}
