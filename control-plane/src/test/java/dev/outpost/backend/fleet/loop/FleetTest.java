package dev.outpost.backend.fleet.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how the loops of a replica are started, woken and stopped. */
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

            Await.opened("both have run", both);
            assertTrue(fleet.isStarted());
        }
    }

    @Test
    void aWakeupIsARoundOfTheLoopOfThatName() throws InterruptedException {
        try (Fleet fleet = new Fleet(List.of(Reconciler.of(Wakeups.POOLS, NEVER, rounds::release)), wakeups)) {
            fleet.start();
            Await.acquired("it has run", rounds);

            wakeups.pools();

            Await.acquired("it has run", rounds);
        }
    }

    @Test
    void eachWakeupIsForItsLoops() {
        assertEquals(List.of("driver"), woken(wakeups::driver));
        assertEquals(List.of("admission"), woken(wakeups::admission));
        assertEquals(List.of("driver", "admission", "observer"), woken(wakeups::all));
        assertEquals(List.of("deployments"), woken(wakeups::deployments));
        assertEquals(List.of("pools"), woken(wakeups::pools));
        assertEquals(List.of("schedules", "jobs"), woken(wakeups::jobs));
        assertEquals(List.of("webhooks"), woken(wakeups::webhooks));
    }

    private List<String> woken(Runnable wakeup) {
        List<String> woken = new ArrayList<>();
        List.of(
                        Wakeups.DRIVER,
                        Wakeups.ADMISSION,
                        Wakeups.OBSERVER,
                        Wakeups.DEPLOYMENTS,
                        Wakeups.POOLS,
                        Wakeups.JOBS,
                        Wakeups.SCHEDULES,
                        Wakeups.WEBHOOKS)
                .forEach(name -> wakeups.connect(name, () -> woken.add(name)));
        wakeup.run();
        return woken;
    }

    @Test
    void aFailureOfOneLoopLeavesTheOthersAlone() throws InterruptedException {
        CountDownLatch failed = new CountDownLatch(1);
        Reconciler broken = Reconciler.of("broken", NEVER, () -> {
            failed.countDown();
            throw new IllegalStateException("broken");
        });
        try (Fleet fleet = new Fleet(List.of(broken, Reconciler.of(Wakeups.POOLS, NEVER, rounds::release)), wakeups)) {
            fleet.start();
            Await.opened("it has failed", failed);
            Await.acquired("it has run", rounds);

            wakeups.pools();

            Await.acquired("it has run", rounds);
        }
    }

    @Test
    void aReconcilerIsClosedAfterItsRoundHasEnded() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        List<String> calls = new CopyOnWriteArrayList<>();
        Reconciler slow = new Reconciler() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public Duration period() {
                return NEVER;
            }

            @Override
            public void round() {
                begun.countDown();
                try {
                    Await.opened("it is stopped", stopped);
                    // A close that does not wait for the round would end within this time.
                    boolean isClosed = closed.await(100, TimeUnit.MILLISECONDS);
                    calls.add(isClosed ? "end of a closed round" : "end of the round");
                } catch (InterruptedException failure) {
                    throw new AssertionError(failure);
                }
            }

            @Override
            public void stop() {
                stopped.countDown();
            }

            @Override
            public void close() {
                calls.add("close");
                closed.countDown();
            }
        };
        Fleet fleet = new Fleet(List.of(slow), wakeups);
        fleet.start();
        Await.opened("it has begun", begun);

        fleet.close();

        assertEquals(List.of("end of the round", "close"), calls);
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
