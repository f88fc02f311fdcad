package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WakeSignalTest {
    private static final Duration PAUSE = Duration.ofMillis(30);

    private final WakeSignal signal = new WakeSignal();

    @Test
    void newsBeforeTheWaitEndItAndAreOverThen() throws Exception {
        signal.wake();
        signal.wake();
        Await.within("the news", () -> signal.await(Duration.ofDays(1)));
        assertTrue(nanosOfAWait() >= PAUSE.toNanos(), "both are one piece of news");
    }

    @Test
    void noNewsOfAnotherThreadIsLost() throws Exception {
        int rounds = 1_000;
        AtomicInteger done = new AtomicInteger();
        Semaphore seen = new Semaphore(1);
        Thread news = Thread.ofVirtual().start(() -> {
            for (int round = 0; round < rounds; round++) {
                seen.acquireUninterruptibly();
                done.incrementAndGet();
                signal.wake();
            }
        });
        Await.within("all news", () -> {
            for (int round = 1; round <= rounds; round++) {
                while (done.get() < round) {
                    signal.await(Duration.ofDays(1));
                }
                seen.release();
            }
        });
        Await.ended("the thread that has news", news);
    }

    @Test
    void negativeTimeIsNoTime() throws Exception {
        Await.within("no time", () -> signal.await(Duration.ofSeconds(-1)));
    }

    private long nanosOfAWait() throws InterruptedException {
        long start = System.nanoTime();
        signal.await(PAUSE);
        return System.nanoTime() - start;
    }
}
