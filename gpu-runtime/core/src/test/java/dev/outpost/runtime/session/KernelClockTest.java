package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapAllocation;
import dev.outpost.runtime.session.run.KernelClock;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Test;

class KernelClockTest {
    private static final Array[] SMALL = {array(512)};
    private static final Array[] LARGE = {array(513)};
    private static final long QUICK = 100;
    private static final long SLOW = 50_000;

    private final KernelClock clock = new KernelClock();

    private static Array array(long elements) {
        return Array.contiguous(HeapAllocation.allocate(DType.FLOAT32, elements), Shape.of(elements));
    }

    private void runQuickOnes(int count) {
        for (int kernel = 0; kernel < count; kernel++) {
            assertEquals(1, clock.weight(SMALL, SMALL));
            clock.measured(QUICK);
        }
    }

    @Test
    void theFirstAreMeasured() {
        runQuickOnes(KernelClock.MANY);
    }

    @Test
    void fewOfManyStandForAll() {
        runQuickOnes(KernelClock.MANY);
        int kernels = 100_000;
        int weights = 0;
        for (int kernel = 0; kernel < kernels; kernel++) {
            int weight = clock.weight(SMALL, SMALL);
            assertTrue(weight == 0 || weight == KernelClock.EVERY);
            weights += weight;
        }
        assertEquals(kernels, weights, kernels * 0.05);
    }

    /** A kernel that recurs at regular intervals is neither always skipped nor always measured. */
    @Test
    void noRhythmHidesAnything() {
        runQuickOnes(KernelClock.MANY);
        int[] weights = new int[KernelClock.EVERY];
        for (int kernel = 0; kernel < 80_000; kernel++) {
            weights[kernel % weights.length] += clock.weight(SMALL, SMALL);
        }
        for (int weight : weights) {
            assertEquals(10_000, weight, 1_000);
        }
    }

    @Test
    void largeOnesAreMeasured() {
        runQuickOnes(KernelClock.MANY);
        for (int kernel = 0; kernel < 100; kernel++) {
            assertEquals(1, clock.weight(SMALL, LARGE));
            clock.measured(QUICK);
        }
    }

    @Test
    void behindASlowOneAllAreMeasured() {
        runQuickOnes(KernelClock.MANY);
        clock.measured(SLOW);
        runQuickOnes(KernelClock.MANY);
        assertTrue(clock.weight(SMALL, SMALL) != 1);
    }
}
