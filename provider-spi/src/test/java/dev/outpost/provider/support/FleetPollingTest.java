package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FleetPollingTest {
    private final AtomicReference<List<MachineObservation>> list = new AtomicReference<>(List.of());
    private final BlockingQueue<String> looks = new LinkedBlockingQueue<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final FleetPolling watches = new FleetPolling(wakeSignal -> new FleetPolling.Poller() {
        @Override
        public Duration poll(FleetChanges changes) {
            changes.report(list.get());
            looks.add("looked");
            return Duration.ofDays(1);
        }

        @Override
        public void close() {
            isClosed.set(true);
        }
    });

    private static MachineObservation machine(String id) {
        return new MachineObservation(
                new MachineRef(id, 1),
                "A100",
                MachinePhase.STARTING,
                "it starts",
                Optional.empty(),
                Optional.empty(),
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    @Test
    void wakingLooksAtOnce() throws InterruptedException {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        try (FleetWatch watch = watches.open(news -> told.add(news.machine().id()))) {
            Await.next("the first look", looks);
            list.set(List.of(machine("one")));
            watches.wake();
            assertEquals("one", Await.next("the machine", told));
        }
    }

    @Test
    void closedWatchTellsNothingMore() throws InterruptedException {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        FleetWatch watch = watches.open(news -> told.add(news.machine().id()));
        Await.next("the first look", looks);
        watch.close();
        assertTrue(isClosed.get());
        list.set(List.of(machine("one")));
        watches.wake();
        assertTrue(looks.isEmpty());
        assertTrue(told.isEmpty());
    }

    /** The database may refuse the text of a machine, and it may be away. */
    @Test
    void listenerThatFailsEndsNoWatch() throws InterruptedException {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        list.set(List.of(machine("bad")));
        try (FleetWatch watch = watches.open(news -> {
            told.add(news.machine().id());
            if (news.machine().id().equals("bad")) {
                throw new UnsupportedOperationException("this one cannot be taken in");
            }
        })) {
            assertEquals("bad", Await.next("the failure", told));
            list.set(List.of(machine("bad"), machine("good")));
            watches.wake();
            assertEquals("good", Await.next("the other machine", told));
        }
    }

    @Test
    void closingEndsAPollThatHangs() throws Exception {
        CountDownLatch polls = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        FleetPolling hanging = new FleetPolling(wakeSignal -> new FleetPolling.Poller() {
            @Override
            public Duration poll(FleetChanges changes) {
                polls.countDown();
                try {
                    closed.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("the connection was closed");
            }

            @Override
            public void close() {
                closed.countDown();
            }
        });
        FleetWatch watch = hanging.open(news -> {});
        Await.opened("it polls", polls);
        Await.within("the end of the watch", watch::close);
    }

    @Test
    void listenerMayCloseItsWatch() throws InterruptedException {
        AtomicReference<FleetWatch> watch = new AtomicReference<>();
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        watch.set(watches.open(news -> {
            watch.get().close();
            told.add(news.machine().id());
        }));
        Await.next("the first look", looks);
        list.set(List.of(machine("one"), machine("two")));
        watches.wake();
        Await.next("the first machine", told);
        Await.next("the second look", looks);
        assertTrue(told.isEmpty(), "a closed watch tells of the second machine");
    }
}
