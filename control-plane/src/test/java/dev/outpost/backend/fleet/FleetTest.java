package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The loops of a replica, by what they are told to do. */
class FleetTest {
    private static final Duration NEVER = Duration.ofDays(1);

    private final Semaphore rounds = new Semaphore(0);
    private final Wakeups wakeups = new Wakeups();

    @Test
    void eachReconcilerHasARoundAtTheStart() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        try (Fleet fleet = new Fleet(
                List.of(Reconciler.of("one", NEVER, both::countDown), Reconciler.of("other", NEVER, both::countDown)),
                wakeups)) {
            assertFalse(fleet.isStarted());
            fleet.start();

            assertTrue(both.await(30, TimeUnit.SECONDS));
            assertTrue(fleet.isStarted());
        }
    }

    @Test
    void aWakeupIsARoundOfTheLoopOfThatName() throws InterruptedException {
        try (Fleet fleet = new Fleet(List.of(Reconciler.of(Wakeups.POOLS, NEVER, rounds::release)), wakeups)) {
            fleet.start();
            assertTrue(rounds.tryAcquire(30, TimeUnit.SECONDS));

            wakeups.pools();

            assertTrue(rounds.tryAcquire(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void reconcilersAreStoppedBeforeTheyAreClosedInTheirOrder() {
        List<String> calls = new CopyOnWriteArrayList<>();
        new Fleet(List.of(new Recorded("a", calls), new Recorded("b", calls)), wakeups).close();

        assertEquals(List.of("stop a", "stop b", "close a", "close b"), calls);
    }

    private record Recorded(String name, List<String> calls) implements Reconciler {
        @Override
        public Duration period() {
            return NEVER;
        }

        @Override
        public void round() {
            calls.add("round " + name);
        }

        @Override
        public void stop() {
            calls.add("stop " + name);
        }

        @Override
        public void close() {
            calls.add("close " + name);
        }
    }
}
