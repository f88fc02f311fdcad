package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DemandTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong(17);

    @Test
    void demandEndsAtItsTimeout() {
        Demand demand = new Demand(Duration.ofSeconds(2), nanos::get);
        nanos.addAndGet(Duration.ofMillis(1999).toNanos());
        assertFalse(demand.isOver());
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertTrue(demand.isOver());
        assertEquals(Duration.ofSeconds(2), demand.elapsed());
    }

    @Test
    void withdrawalInterruptsAPause() {
        Demand demand = new Demand(HOUR, nanos::get);
        Thread.startVirtualThread(demand::withdraw);
        assertThrows(Demand.WithdrawnException.class, () -> demand.pause(HOUR));
        assertThrows(Demand.WithdrawnException.class, demand::requireWanted);
    }

    @Test
    void withdrawalInterruptsAWaitForNews() {
        Demand demand = new Demand(HOUR, nanos::get);
        Thread.startVirtualThread(demand::withdraw);
        assertThrows(Demand.WithdrawnException.class, () -> demand.awaitNews(HOUR));
    }

    @Test
    void earlierNewsEndTheWaitAtOnce() {
        Demand demand = new Demand(HOUR, nanos::get);
        demand.news().beat();
        demand.awaitNews(HOUR);
        assertFalse(demand.isWithdrawn());
    }

    @Test
    void newsDoNotEndAPause() {
        Demand demand = new Demand(HOUR, nanos::get);
        demand.news().beat();
        long start = System.nanoTime();
        demand.pause(Duration.ofMillis(20));
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(20).toNanos());
    }

    @Test
    void waitEndsAtTheTimeout() {
        Demand demand = new Demand(Duration.ofMillis(1), nanos::get);
        demand.pause(HOUR);
        demand.awaitNews(HOUR);
    }

    @Test
    void interruptWithdrawsTheDemand() {
        Demand demand = new Demand(HOUR, nanos::get);
        Thread.currentThread().interrupt();
        assertThrows(Demand.WithdrawnException.class, () -> demand.pause(HOUR));
        assertTrue(Thread.interrupted());
        assertTrue(demand.isWithdrawn());
    }
}
