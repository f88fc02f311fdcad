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
        CancellableDeadline deadline = new CancellableDeadline(Duration.ofSeconds(2), nanos::get);
        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        assertFalse(deadline.isOver());
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertTrue(deadline.isOver());
        assertEquals(Duration.ofSeconds(2), deadline.elapsed());
    }

    @Test
    void withdrawalInterruptsAPause() {
        CancellableDeadline deadline = new CancellableDeadline(HOUR, nanos::get);
        Thread.startVirtualThread(deadline::withdraw);
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> deadline.pause(HOUR));
        assertThrows(CancellableDeadline.WithdrawnException.class, deadline::requireWanted);
    }

    @Test
    void withdrawalInterruptsAWaitForNews() {
        CancellableDeadline deadline = new CancellableDeadline(HOUR, nanos::get);
        Thread.startVirtualThread(deadline::withdraw);
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> deadline.awaitNews(HOUR));
    }

    @Test
    void earlierNewsEndTheWaitAtOnce() {
        CancellableDeadline deadline = new CancellableDeadline(HOUR, nanos::get);
        deadline.news().wake();
        deadline.awaitNews(HOUR);
        assertFalse(deadline.isWithdrawn());
    }

    @Test
    void newsDoNotEndAPause() {
        CancellableDeadline deadline = new CancellableDeadline(HOUR, nanos::get);
        deadline.news().wake();
        long start = System.nanoTime();
        deadline.pause(Duration.ofMillis(20));
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(20).toNanos());
    }

    @Test
    void waitEndsAtTheTimeout() {
        CancellableDeadline deadline = new CancellableDeadline(Duration.ofMillis(1), nanos::get);
        deadline.pause(HOUR);
        deadline.awaitNews(HOUR);
    }

    @Test
    void interruptWithdrawsTheDemand() {
        CancellableDeadline deadline = new CancellableDeadline(HOUR, nanos::get);
        Thread.currentThread().interrupt();
        assertThrows(CancellableDeadline.WithdrawnException.class, () -> deadline.pause(HOUR));
        assertTrue(Thread.interrupted());
        assertTrue(deadline.isWithdrawn());
    }
}
