package dev.outpost.backend.api.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.smallrye.mutiny.Multi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams that end when their readers may no longer read them. */
@Tag("quick")
class AllowedStreamTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private static List<String> read(Multi<String> stream) {
        return stream.collect().asList().await().atMost(Await.GUARD);
    }

    @Test
    void quietStreamEndsWhenItsReaderMayNotReadIt() throws InterruptedException {
        Semaphore questions = new Semaphore(0);
        AtomicBoolean isCancelled = new AtomicBoolean();
        AtomicBoolean isOnVirtualThread = new AtomicBoolean();
        Multi<String> quiet =
                Multi.createFrom().<String>nothing().onCancellation().invoke(() -> isCancelled.set(true));
        Multi<String> stream = AllowedStream.of(
                Multi.createBy().concatenating().streams(Multi.createFrom().item("first"), quiet),
                () -> {
                    isOnVirtualThread.set(Thread.currentThread().isVirtual());
                    questions.release();
                    return questions.availablePermits() < 3;
                },
                SOON);
        assertEquals(List.of("first"), read(stream));
        Await.until("the source is cancelled", isCancelled::get);
        assertTrue(isOnVirtualThread.get(), "a question may block");
        Await.acquired("three questions", questions);
    }

    @Test
    void allItemsOfAFiniteStreamAreInOrder() {
        List<String> items = Multi.createFrom()
                .range(0, 10_000)
                .map(number -> Integer.toString(number))
                .collect()
                .asList()
                .await()
                .atMost(Await.GUARD);
        assertEquals(items, read(AllowedStream.of(Multi.createFrom().iterable(items), () -> true, SOON)));
    }

    @Test
    void questionThatFailsEndsTheStreamWithItsFailure() {
        Multi<String> stream = AllowedStream.of(
                Multi.createFrom().nothing(),
                () -> {
                    throw new IllegalStateException("the database is away");
                },
                SOON);
        assertEquals(
                "the database is away",
                assertThrows(IllegalStateException.class, () -> read(stream)).getMessage());
    }

    @Test
    void failureOfTheSourceIsPassedOn() {
        Multi<String> stream = AllowedStream.of(
                Multi.createFrom().failure(new IllegalStateException("no log")), () -> true, Await.GUARD);
        assertEquals(
                "no log",
                assertThrows(IllegalStateException.class, () -> read(stream)).getMessage());
    }
}
