package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CancellableDeadlineTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong(17);

    @Test
    void demandEndsAtItsTimeout() {
        CancellableDeadline demand = new CancellableDeadline(Duration.ofSeconds(2), nanos::get);
        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        assertFalse(demand.isOver());
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertTrue(demand.isOver());
        assertEquals(Duration.ofSeconds(2), demand.elapsed());
    }

    @Test
    void withdrawalInterruptsAPause() {
        CancellableDeadline demand = new CancellableDeadline(HOUR, nanos::get);
        Thread.startVirtualThread(demand::withdraw);
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> demand.pause(HOUR));
        assertThrows(CancellableDeadline.WithdrawnException.class, demand::requireWanted);
    }

    @Test
    void withdrawalInterruptsAWaitForNews() {
        CancellableDeadline demand = new CancellableDeadline(HOUR, nanos::get);
        Thread.startVirtualThread(demand::withdraw);
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> demand.awaitNews(HOUR));
    }

    @Test
    void earlierNewsEndTheWaitAtOnce() {
        CancellableDeadline demand = new CancellableDeadline(HOUR, nanos::get);
        demand.news().beat();
        demand.awaitNews(HOUR);
        assertFalse(demand.isWithdrawn());
    }

    @Test
    void newsDoNotEndAPause() {
        CancellableDeadline demand = new CancellableDeadline(HOUR, nanos::get);
        demand.news().beat();
        long start = System.nanoTime();
        demand.pause(Duration.ofMillis(20));
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(20).toNanos());
    }

    @Test
    void waitEndsAtTheTimeout() {
        CancellableDeadline demand = new CancellableDeadline(Duration.ofMillis(1), nanos::get);
        demand.pause(HOUR);
        demand.awaitNews(HOUR);
    }

    @Test
    void interruptWithdrawsTheDemand() {
        CancellableDeadline demand = new CancellableDeadline(HOUR, nanos::get);
        Thread.currentThread().interrupt();
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> demand.pause(HOUR));
        assertTrue(Thread.interrupted());
        assertTrue(demand.isWithdrawn());
    }
}
