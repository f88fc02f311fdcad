package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.support.tests.Await;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CancellableTaskTest {
    private final List<String> undone = new CopyOnWriteArrayList<>();
    private final AtomicReference<Object> got = new AtomicReference<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    private Cancellable subscribe(CancellableTask.Work<String> work) {
        return CancellableTask.<String>uni("test", work).subscribe().with(got::set, got::set);
    }

    @Test
    void eachSubscriberGetsAResultOfItsOwn() {
        AtomicReference<Integer> runs = new AtomicReference<>(0);
        Uni<Integer> uni = CancellableTask.uni("test", () -> runs.updateAndGet(count -> count + 1));
        assertEquals(1, uni.await().atMost(Await.GUARD));
        assertEquals(2, uni.await().atMost(Await.GUARD));
    }

    @Test
    void failureUndoesWhatWasBegunAndReachesTheSubscriber() {
        Uni<String> uni = CancellableTask.uni("test", task -> {
            task.began("machine", undone::add);
            throw new IllegalStateException("broken");
        });
        assertEquals(
                "broken",
                assertThrows(IllegalStateException.class, () -> uni.await().atMost(Await.GUARD))
                        .getMessage());
        assertEquals(List.of("machine"), undone);
    }

    @Test
    void failureToUndoIsSuppressed() {
        Uni<String> uni = CancellableTask.uni("test", task -> {
            task.began("machine", machine -> {
                throw new IllegalStateException("not undone");
            });
            throw new IllegalStateException("broken");
        });
        var failure =
                assertThrows(IllegalStateException.class, () -> uni.await().atMost(Await.GUARD));
        assertEquals("broken", failure.getMessage());
        assertEquals("not undone", failure.getSuppressed()[0].getMessage());
    }

    @Test
    void errorOfTheUndoIsSuppressedToo() {
        Uni<String> uni = CancellableTask.uni("test", task -> {
            task.began("machine", machine -> {
                throw new NoClassDefFoundError("dev/outpost/Missing");
            });
            throw new IllegalStateException("broken");
        });
        var failure =
                assertThrows(IllegalStateException.class, () -> uni.await().atMost(Await.GUARD));
        assertEquals(1, failure.getSuppressed().length);
    }

    @Test
    void cancellingDoesNotInterruptTheUndoOfAFailure() throws InterruptedException {
        CountDownLatch undoMayEnd = new CountDownLatch(1);
        Cancellable subscription = subscribe(task -> {
            task.began("machine", machine -> {
                begun.countDown();
                try {
                    undoMayEnd.await();
                    undone.add(machine);
                } catch (InterruptedException interrupted) {
                    undone.add("interrupted");
                }
            });
            throw new IllegalStateException("broken");
        });
        begun.await();
        Thread cancelling = Thread.ofPlatform().start(subscription::cancel);
        Await.until("it waits", () -> cancelling.getState() == Thread.State.TIMED_WAITING);
        undoMayEnd.countDown();
        Await.ended("the cancellation", cancelling);
        assertEquals(List.of("machine"), undone);
        assertNull(got.get());
    }

    @Test
    void cancellationWhileTheWorkBeginsOrEndsNeverUndoesWhatTheSubscriberHas() throws Exception {
        for (int round = 0; round < 200; round++) {
            List<String> ended = new CopyOnWriteArrayList<>();
            AtomicReference<Object> result = new AtomicReference<>();
            AtomicReference<FutureTask<Void>> cancelling = new AtomicReference<>();
            CancellableTask.<String>uni("test", task -> task.began("machine", ended::add))
                    .onSubscription()
                    .invoke(subscription -> {
                        cancelling.set(new FutureTask<>(subscription::cancel, null));
                        Thread.ofVirtual().start(cancelling.get());
                    })
                    .subscribe()
                    .with(result::set, result::set);
            Await.result("the cancellation", cancelling.get());
            boolean isEnded = !ended.isEmpty();
            assertFalse(isEnded && result.get() != null, "it is ended, and the subscriber has it");
        }
    }

    @Test
    void cancellingInterruptsTheWorkAndReturnsWhenItIsUndone() throws InterruptedException {
        Cancellable subscription = subscribe(task -> {
            String machine = task.began("machine", undone::add);
            begun.countDown();
            Thread.sleep(Duration.ofHours(1));
            return machine;
        });
        begun.await();
        subscription.cancel();
        assertEquals(List.of("machine"), undone);
        assertNull(got.get());
    }

    @Test
    void cancellingStopsTheWorkByItsOwnActionWithoutAnInterrupt() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Cancellable subscription = subscribe(task -> {
            task.stopBy(stopped::countDown);
            begun.countDown();
            stopped.await();
            interrupted.set(Thread.interrupted());
            return "late";
        });
        begun.await();
        subscription.cancel();
        assertEquals(0, stopped.getCount());
        assertFalse(interrupted.get());
        assertNull(got.get());
    }

    @Test
    void thingThatIsBegunAfterTheCancellationIsUndone() throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        Cancellable subscription = subscribe(task -> {
            task.stopBy(cancelled::countDown);
            begun.countDown();
            cancelled.await();
            return task.began("late", undone::add);
        });
        begun.await();
        subscription.cancel();
        assertEquals(List.of("late"), undone);
        assertNull(got.get());
    }

    @Test
    void cancellationAfterTheResultHasNoEffect() {
        Cancellable subscription = subscribe(task -> task.began("done", undone::add));
        Await.until("it is there", () -> got.get() != null);
        subscription.cancel();
        assertEquals("done", got.get());
        assertEquals(List.of(), undone);
    }

    @Test
    void workMayCancelItself() {
        AtomicReference<Cancellable> subscription = new AtomicReference<>();
        subscription.set(subscribe(task -> {
            Await.until("it is subscribed to", () -> subscription.get() != null);
            subscription.get().cancel();
            Thread.interrupted();
            return task.began("late", undone::add);
        }));
        Await.until("it is undone", () -> undone.equals(List.of("late")));
        assertNull(got.get());
    }
}
