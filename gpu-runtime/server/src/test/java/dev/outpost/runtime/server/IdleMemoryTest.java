package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleMemoryTest {
    private final AtomicLong clock = new AtomicLong();
    private long work;
    private boolean isBusy;
    private int collections;
    private final IdleMemory memory = new IdleMemory(() -> work, () -> isBusy, clock::get, () -> collections++);

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
        memory.tick();
    }

    @Test
    void memoryIsGivenBackOnceAfterEachTimeOfUse() {
        for (int round = 1; round <= 3; round++) {
            work++;
            pass(Duration.ofSeconds(1));
            pass(IdleMemory.PAUSE.minusMillis(1));
            assertEquals(round - 1, collections);
            pass(Duration.ofMillis(1));
            assertEquals(round, collections);
            pass(Duration.ofHours(1));
            assertEquals(round, collections);
        }
    }

    @Test
    void aKernelThatRunsForLongIsUse() {
        work++;
        isBusy = true;
        pass(Duration.ofHours(1));
        assertEquals(0, collections);
        isBusy = false;
        pass(IdleMemory.PAUSE);
        assertEquals(1, collections);
    }

    @Test
    void aRuntimeThatWasNeverUsedGivesNothingBack() {
        pass(Duration.ofHours(1));
        assertEquals(0, collections);
    }
}
