package dev.outpost.backend.fleet.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
    private final AtomicLong nanos = new AtomicLong();

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void loopGoesOnAfterAnError() {
        AtomicInteger runs = new AtomicInteger();
        try (ReconcileLoop loop = new ReconcileLoop("test", Duration.ofMillis(1), () -> {
            if (runs.incrementAndGet() == 1) {
                throw new StackOverflowError("a defect");
            }
        })) {
            loop.start();
            Await.until("it runs again", () -> runs.get() > 1 && loop.failure().isEmpty());
        }
    }

    @Test
    void failureIsKeptUntilARunSucceeds() {
        AtomicInteger runs = new AtomicInteger();
        try (ReconcileLoop loop = new ReconcileLoop("test", Duration.ofMillis(1), () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("broken");
        })) {
            loop.start();
            Await.until("it has failed", () -> runs.get() > 1);
            assertEquals(Optional.of("java.lang.IllegalStateException: broken"), loop.failure());
        }
    }

    @Test
    void runThatHangsIsTold() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (ReconcileLoop loop = new ReconcileLoop(
                "test",
                Duration.ofSeconds(10),
                () -> {
                    begun.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                },
                nanos::get)) {
            loop.start();
            Await.opened("it has begun", begun);
            advance(Duration.ofSeconds(90));
            assertEquals(Optional.empty(), loop.silence());
            advance(Duration.ofSeconds(1));
            assertEquals(Optional.of(Duration.ofSeconds(91)), loop.silence());
            release.countDown();
            Await.until("it has run", () -> loop.silence().isEmpty());
        }
    }

    @Test
    void loopThatWasStoppedIsNotMissed() {
        ReconcileLoop loop = new ReconcileLoop("test", Duration.ofSeconds(10), () -> {}, nanos::get).start();
        loop.close();
        advance(Duration.ofHours(1));
        assertTrue(loop.silence().isEmpty());
    }
}
