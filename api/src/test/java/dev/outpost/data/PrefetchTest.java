package dev.outpost.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PrefetchTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);

    /** The next batch is loaded while the program computes: the step ends only when that load has begun. */
    @Test
    void loadingOverlapsComputing() throws InterruptedException {
        List<CountDownLatch> loads = latches(6);
        Dataset<Integer> dataset = Dataset.of(6, index -> {
            loads.get(index).countDown();
            return index;
        });
        int expected = 0;
        for (List<? extends Integer> batch : new DataLoader<>(dataset, 1, elements -> elements)) {
            assertEquals(expected, batch.getFirst());
            if (expected + 1 < 6) {
                Await.opened("the next load has begun", loads.get(expected + 1));
            }
            expected++;
        }
        assertEquals(6, expected);
    }

    /** Three loads wait for one another, so they end only if they run at a time. */
    @Test
    void severalBatchesAreLoadedAtATime() {
        CyclicBarrier together = new CyclicBarrier(3);
        Dataset<Integer> dataset = Dataset.of(9, index -> {
            try {
                together.await();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
            return index;
        });
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8), elements(new DataLoader<>(dataset, 1, first()).prefetch(3)));
    }

    @Test
    void noMoreBatchesThanAllowedAreLoadedAhead() {
        Dataset<Integer> dataset = Dataset.of(20, index -> {
            begun.incrementAndGet();
            return index;
        });
        try (Batches<Integer> batches =
                new DataLoader<>(dataset, 1, first()).prefetch(4).iterator()) {
            assertEquals(0, begun.get());
            assertEquals(0, batches.next());
            Await.until("four batches are ahead", () -> begun.get() == 5);
            assertEquals(1, batches.next());
            Await.until("a fifth one is loaded", () -> begun.get() == 6);
        }
    }

    /** The default loader has one thread. While the first load waits, the second one has not begun. */
    @Test
    void byDefaultTwoBatchesAreLoadedAheadOneAfterTheOther() {
        Dataset<Integer> dataset = Dataset.of(9, index -> {
            begun.incrementAndGet();
            if (index == 1) {
                Await.until("the gate opens", () -> gate.getCount() == 0);
            }
            return index;
        });
        try (Batches<Integer> batches = new DataLoader<>(dataset, 1, first()).iterator()) {
            assertEquals(0, batches.next());
            Await.until("the next load waits", () -> begun.get() == 2);
            gate.countDown();
            Await.until("two batches are ahead", () -> begun.get() == 3);
            assertEquals(1, batches.next());
            Await.until("a third one is loaded", () -> begun.get() == 4);
        }
    }

    @Test
    void byDefaultOneThreadAtATimeUsesTheDataset() {
        AtomicInteger most = new AtomicInteger();
        Dataset<Integer> dataset = Dataset.of(50, index -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            Thread.yield();
            underWay.decrementAndGet();
            return index;
        });
        assertEquals(25, elements(new DataLoader<>(dataset, 2, first())).size());
        assertEquals(1, most.get());
    }

    @Test
    void withoutPrefetchTheCallersThreadLoads() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Dataset<Integer> dataset = Dataset.of(3, index -> {
            threads.add(Thread.currentThread());
            return index;
        });
        elements(new DataLoader<>(dataset, 1, first()).prefetch(0));
        assertEquals(Set.of(Thread.currentThread()), threads);
    }

    /** A later load ends before an earlier one, and its batch still comes later. */
    @Test
    void orderDoesNotDependOnThreads() {
        CountDownLatch laterIsLoaded = new CountDownLatch(1);
        Dataset<Integer> dataset = Dataset.of(2, index -> {
            if (index == 0) {
                Await.until("the later batch is loaded", () -> laterIsLoaded.getCount() == 0);
            } else {
                laterIsLoaded.countDown();
            }
            return index;
        });
        assertEquals(List.of(0, 1), elements(new DataLoader<>(dataset, 1, first()).prefetch(2)));
    }

    @Test
    void shuffledOrderIsThatWithoutThreads() {
        Dataset<Integer> dataset = Dataset.of(101, index -> index);
        List<Integer> plain =
                elements(new DataLoader<>(dataset, 4, first()).shuffle(3).prefetch(0));
        assertEquals(
                plain, elements(new DataLoader<>(dataset, 4, first()).shuffle(3).prefetch(8)));
    }

    @Test
    void anErrorNamesTheIndexAndComesInItsTurn() {
        Dataset<Integer> dataset = Dataset.of(6, index -> {
            if (index == 3) {
                throw new IllegalStateException("the file is cut off");
            }
            return index;
        });
        try (Batches<Integer> batches =
                new DataLoader<>(dataset, 2, first()).prefetch(3).iterator()) {
            assertEquals(0, batches.next());
            OutpostException failure = assertThrows(OutpostException.class, batches::next);
            assertEquals("DataLoader: element 3 cannot be loaded: the file is cut off", failure.getMessage());
            assertInstanceOf(IllegalStateException.class, failure.getCause());
            assertEquals(4, batches.next(), "the batch after the one that failed");
            assertFalse(batches.hasNext());
        }
    }

    @Test
    void anErrorOfTheCollateFunctionNamesTheElements() {
        DataLoader<Object> loader = new DataLoader<>(Dataset.of(List.of(1, 2, 3)), 2, elements -> {
            throw new IllegalArgumentException("no");
        });
        OutpostException failure =
                assertThrows(OutpostException.class, () -> loader.iterator().next());
        assertEquals("DataLoader: the batch of the elements [0, 1] cannot be made: no", failure.getMessage());
        assertEquals(FaultKind.USER, failure.kind());
    }

    @Test
    void anErrorOfTheJvmIsNotHidden() {
        Error error = new StackOverflowError();
        DataLoader<Integer> loader = new DataLoader<>(
                Dataset.of(1, index -> {
                    throw error;
                }),
                1,
                first());
        assertSame(error, assertThrows(Error.class, () -> loader.iterator().next()));
    }

    @Test
    void closeEndsTheLoadsUnderWay() {
        AtomicInteger interrupted = new AtomicInteger();
        Dataset<Integer> dataset = Dataset.of(10, index -> index == 0 ? index : stall(interrupted));
        Batches<Integer> batches =
                new DataLoader<>(dataset, 1, first()).prefetch(3).iterator();
        assertEquals(0, batches.next());
        Await.until("three loads wait", () -> underWay.get() == 3);
        batches.close();
        assertEquals(0, underWay.get());
        assertEquals(3, interrupted.get());
        assertFalse(batches.hasNext());
        batches.close();
    }

    /** Without close, nothing more than the loads under way is begun. */
    @Test
    void anAbandonedIterationLoadsNothingMore() {
        Dataset<Integer> dataset = Dataset.of(10, index -> {
            begun.incrementAndGet();
            return index;
        });
        for (int number : new DataLoader<>(dataset, 1, first()).prefetch(2)) {
            assertEquals(0, number);
            break;
        }
        Await.until("two loads are ahead", () -> begun.get() == 3);
        assertEquals(List.of(0, 1, 2), elements(new DataLoader<>(Dataset.of(3, index -> index), 1, first())));
        assertEquals(3, begun.get());
    }

    @Test
    void anInterruptedConsumerStops() throws InterruptedException {
        AtomicInteger interrupted = new AtomicInteger();
        Dataset<Integer> dataset = Dataset.of(10, index -> stall(interrupted));
        Batches<Integer> batches =
                new DataLoader<>(dataset, 1, first()).prefetch(2).iterator();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread consumer = Thread.ofPlatform().start(() -> {
            thrown.set(assertThrows(OutpostException.class, batches::next));
            flag.set(Thread.currentThread().isInterrupted());
        });
        Await.until("two loads wait", () -> underWay.get() == 2);
        consumer.interrupt();
        consumer.join();
        assertEquals(
                "DataLoader: interrupted while a batch was loaded", thrown.get().getMessage());
        assertEquals(true, flag.get());
        Await.until("no load waits", () -> underWay.get() == 0);
        assertFalse(batches.hasNext());
    }

    @Test
    void twoIterationsAtATimeAreIndependent() {
        DataLoader<Integer> loader = new DataLoader<>(Dataset.of(4, index -> index), 1, first());
        Batches<Integer> one = loader.iterator();
        Batches<Integer> other = loader.iterator();
        assertEquals(0, one.next());
        assertEquals(0, other.next());
        assertEquals(1, one.next());
        assertEquals(1, other.next());
    }

    /** Waits until it is interrupted. */
    private int stall(AtomicInteger interrupted) {
        underWay.incrementAndGet();
        try {
            gate.await();
            return 0;
        } catch (InterruptedException expected) {
            interrupted.incrementAndGet();
            throw new IllegalStateException(expected);
        } finally {
            underWay.decrementAndGet();
        }
    }

    private static Collate<Integer, Integer> first() {
        return elements -> elements.getFirst();
    }

    private static List<CountDownLatch> latches(int number) {
        List<CountDownLatch> latches = new ArrayList<>();
        for (int latch = 0; latch < number; latch++) {
            latches.add(new CountDownLatch(1));
        }
        return latches;
    }

    private static List<Integer> elements(DataLoader<Integer> loader) {
        List<Integer> all = new ArrayList<>();
        loader.forEach(all::add);
        return all;
    }
}
