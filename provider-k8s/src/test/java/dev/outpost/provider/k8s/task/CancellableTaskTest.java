package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.Quick;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CancellableTaskTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> undone = new CopyOnWriteArrayList<>();
    private final AtomicReference<Object> got = new AtomicReference<>();

    private Uni<String> uni(Function<CancellableDeadline, String> work) {
        return CancellableTask.uni("test", () -> new CancellableDeadline(HOUR, System::nanoTime), work, undone::add);
    }

    @Test
    void resultReachesEverySubscriber() {
        Uni<String> uni = uni(deadline -> "done");
        assertEquals("done", uni.await().atMost(HOUR));
        assertEquals("done", uni.await().atMost(HOUR));
        assertEquals(List.of(), undone);
    }

    @Test
    void failureReachesTheSubscriber() {
        Uni<String> uni = uni(deadline -> {
            throw new IllegalStateException("broken");
        });
        assertEquals(
                "broken",
                assertThrows(IllegalStateException.class, () -> uni.await().atMost(HOUR))
                        .getMessage());
    }

    @Test
    void cancelledWorkStopsAtItsNextStep() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        var subscription = uni(deadline -> {
                    begun.countDown();
                    try {
                        deadline.pause(HOUR);
                        return "late";
                    } finally {
                        ended.countDown();
                    }
                })
                .subscribe()
                .with(got::set, got::set);
        begun.await();
        subscription.cancel();
        assertEquals(0, ended.getCount());
        assertNull(got.get());
        assertEquals(List.of(), undone);
    }

    @Test
    void resultAfterCancellationIsUndone() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        var subscription = uni(deadline -> {
                    begun.countDown();
                    awaitQuietly(cancelled);
                    return "late";
                })
                .subscribe()
                .with(got::set, got::set);
        begun.await();
        Thread cancelling = Thread.startVirtualThread(subscription::cancel);
        Quick.eventually("it is withdrawn", () -> cancelling.getState() != Thread.State.RUNNABLE);
        cancelled.countDown();
        cancelling.join();
        Quick.eventually("it is undone", () -> undone.equals(List.of("late")));
        assertNull(got.get());
    }

    @Test
    void cancellationAfterTheResultHasNoEffect() {
        var subscription = uni(deadline -> "done").subscribe().with(got::set, got::set);
        Quick.eventually("it is there", () -> got.get() != null);
        subscription.cancel();
        assertEquals("done", got.get());
        assertTrue(undone.isEmpty());
    }

    @Test
    void workMayCancelItself() {
        AtomicReference<Cancellable> subscription = new AtomicReference<>();
        subscription.set(uni(deadline -> {
                    Quick.eventually("it is subscribed to", () -> subscription.get() != null);
                    subscription.get().cancel();
                    return "late";
                })
                .subscribe()
                .with(got::set, got::set));
        Quick.eventually("it is undone", () -> undone.equals(List.of("late")));
        assertNull(got.get());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
