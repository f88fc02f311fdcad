package dev.outpost.client.waits;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StepWaitsTest {
    private final StepWaits waits = new StepWaits();

    @Test
    void longComputationsAreNoDistance() {
        for (int step = 0; step < 20; step++) {
            waits.waited(500_000_000, 499_000_000);
            assertTrue(waits.isNear());
        }
    }

    @Test
    void aMachineIsFarWhenHalfOfTheWaitsSaySo() {
        for (int step = 0; step < StepWaits.REMEMBERED / 2; step++) {
            assertTrue(waits.isNear());
            waits.waited(20_000_000, 1_000_000);
        }
        assertFalse(waits.isNear());
    }

    @Test
    void aFewSlowWaitsAreForgotten() {
        for (int step = 0; step < 100; step++) {
            waits.waited(step % 4 == 0 ? 20_000_000 : 1_000_000, 500_000);
            assertTrue(waits.isNear());
        }
    }
}
