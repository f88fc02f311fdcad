package dev.outpost.runtime.engine.cpu.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class KernelThreadsTest {
    @Test
    void everyElementIsVisitedOnce() {
        try (KernelThreads kernelThreads = new KernelThreads(3)) {
            for (int total : new int[] {0, 1, 100, 1000, 12_345}) {
                AtomicIntegerArray visits = new AtomicIntegerArray(total);
                kernelThreads.run(total, 100, (from, to) -> {
                    for (int element = from; element < to; element++) {
                        visits.incrementAndGet(element);
                    }
                });
                for (int element = 0; element < total; element++) {
                    assertEquals(1, visits.get(element));
                }
            }
        }
    }

    /** Each resource is used by one thread, for all pieces that the thread computes, and closed at the end. */
    @Test
    void aThreadHasAShareOfItsOwn() throws InterruptedException {
        List<Share> shares = new CopyOnWriteArrayList<>();
        try (KernelThreads kernelThreads = new KernelThreads(3)) {
            for (int round = 0; round < 100; round++) {
                shares.clear();
                kernelThreads.share(64 * 48, 64, () -> {
                    Share share = new Share();
                    shares.add(share);
                    return share;
                });
                assertEquals(
                        64 * 48, shares.stream().mapToInt(share -> share.done).sum());
                assertTrue(shares.size() <= 3, () -> "shares " + shares.size());
                for (Share share : shares) {
                    // A helper closes its resource after the last piece, and the caller waits only for the pieces.
                    Await.opened("the share is closed", share.closed);
                }
            }
        }
    }

    private static final class Share implements KernelThreads.Share {
        private final Thread thread = Thread.currentThread();
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile int done;

        @Override
        public void run(int from, int to) {
            assertEquals(thread, Thread.currentThread());
            done += to - from;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void theForemostFailureIsReported() {
        try (KernelThreads kernelThreads = new KernelThreads(3)) {
            for (int round = 0; round < 100; round++) {
                IllegalStateException failure = assertThrows(
                        IllegalStateException.class,
                        () -> kernelThreads.run(6400, 64, (from, to) -> {
                            throw new IllegalStateException("from " + from);
                        }));
                assertEquals("from 0", failure.getMessage());
            }
        }
    }

    /** The parts wait for each other, so a single thread would never finish. */
    @Test
    void sleepingWorkerIsWoken() throws Exception {
        try (KernelThreads kernelThreads = new KernelThreads(2)) {
            CyclicBarrier both = new CyclicBarrier(2);
            for (int pause : new int[] {0, 0, 50, 0, 50}) {
                Await.within("the worker is woken", () -> {
                    Thread.sleep(pause);
                    kernelThreads.run(2, 1, (_, _) -> meet(both));
                });
            }
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRangeWithinARangeEnds() {
        try (KernelThreads kernelThreads = new KernelThreads(2)) {
            int[] sums = new int[4];
            kernelThreads.run(4, 1, (from, to) -> {
                for (int outer = from; outer < to; outer++) {
                    int slot = outer;
                    kernelThreads.run(1000, 1000, (first, last) -> sums[slot] += last - first);
                }
            });
            assertTrue(Arrays.stream(sums).allMatch(sum -> sum == 1000));
        }
    }
}
