package dev.outpost.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DataLoaderTest {
    private static final int SIZE = 10;

    /** Example i has the input [i, -i] and the target i. */
    private final TensorDataset numbers = new TensorDataset(
            HostTensor.of(
                    IntStream.range(0, SIZE).flatMap(i -> IntStream.of(i, -i)).toArray(), SIZE, 2),
            HostTensor.of(LongStream.range(0, SIZE).toArray()));

    @Test
    void batchesAreInOrderUnlessShuffled() {
        DataLoader<Example> loader = new DataLoader<>(numbers, 4);
        assertEquals(3, loader.batches());
        assertEquals(List.of(List.of(0L, 1L, 2L, 3L), List.of(4L, 5L, 6L, 7L), List.of(8L, 9L)), targets(loader));
    }

    @Test
    void inputsAndTargetsStayTogether() {
        for (Example batch : new DataLoader<>(numbers, 3).shuffle(1)) {
            for (int row = 0; row < batch.size(); row++) {
                assertEquals(batch.y().getLong(row), batch.x().getLong(2L * row));
                assertEquals(-batch.y().getLong(row), batch.x().getLong(2L * row + 1));
            }
        }
    }

    @Test
    void theLastBatchIsDroppedOnRequest() {
        DataLoader<Example> loader = new DataLoader<>(numbers, 4).dropLast();
        assertEquals(2, loader.batches());
        assertEquals(2, targets(loader).size());
    }

    @Test
    void epochsDifferAndFollowFromTheSeed() {
        DataLoader<Example> loader = new DataLoader<>(numbers, 4).shuffle(7);
        List<List<Long>> first = targets(loader);
        List<List<Long>> second = targets(loader);
        assertFalse(first.equals(second));
        assertEquals(first, targets(new DataLoader<>(numbers, 4).shuffle(7)));
        assertEquals(second, targets(new DataLoader<>(numbers, 4).shuffle(7).epoch(1)));
        assertFalse(first.equals(targets(new DataLoader<>(numbers, 4).shuffle(8))));
    }

    @Test
    void everyExampleComesOnceInAnEpoch() {
        List<Long> all = targets(new DataLoader<>(numbers, 3).shuffle(5)).stream()
                .flatMap(List::stream)
                .sorted()
                .toList();
        assertEquals(LongStream.range(0, SIZE).boxed().toList(), all);
    }

    @Test
    void randomSplitsHaveNothingInCommonAndLeaveNothingOut() {
        List<Subset<Example>> parts = RandomSplit.of(numbers, 3, 7, 3);
        List<Long> all =
                parts.stream().flatMap(DataLoaderTest::targetsOf).sorted().toList();
        assertEquals(List.of(7, 3), parts.stream().map(Subset::size).toList());
        assertEquals(LongStream.range(0, SIZE).boxed().toList(), all);
        OpException refusal = assertThrows(OpException.class, () -> RandomSplit.of(numbers, 3, 7, 4));
        assertEquals("RandomSplit: the sizes must sum to 10, got [7, 4]", refusal.getMessage());
    }

    @Test
    void inputsAndTargetsMustBeAsMany() {
        OpException refusal = assertThrows(
                OpException.class, () -> new TensorDataset(HostTensor.of(new int[2]), HostTensor.of(new int[3])));
        assertEquals("TensorDataset: inputs and targets must be as many, got [2] and [3]", refusal.getMessage());
    }

    /** Pinned: a split must be the same on every JVM, today and later. */
    @Test
    void permutationsArePinned() {
        assertArrayEquals(new int[] {4, 9, 2, 5, 1, 7, 6, 0, 3, 8}, Permutation.of(10, 0));
        int[] sorted = Permutation.of(1000, 42);
        Arrays.sort(sorted);
        assertArrayEquals(IntStream.range(0, 1000).toArray(), sorted);
        assertArrayEquals(new int[0], Permutation.of(0, 1));
    }

    /** A session's sender is a virtual thread, and loads that compute on virtual threads would stop it. */
    @Test
    void loadsRunOnDaemonThreadsOfThePlatform() {
        Dataset<HostTensor> threads = Dataset.of(3, index -> {
            Thread thread = Thread.currentThread();
            return HostTensor.of(new boolean[] {thread.isVirtual(), thread.isDaemon()});
        });
        for (int ahead : new int[] {1, 2}) {
            new DataLoader<>(threads, 1)
                    .prefetch(ahead)
                    .forEach(batch -> assertEquals(HostTensor.of(new boolean[] {false, true}, 1, 2), batch));
        }
    }

    @Test
    void aNewIterationWaitsForALoadOfAnAbandonedOne() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Dataset<HostTensor> slow = Dataset.of(2, index -> {
            if (index == 1) {
                begun.countDown();
                await(goOn);
            }
            return HostTensor.scalar(index);
        });
        DataLoader<HostTensor> loader = new DataLoader<>(slow, 1);
        try (Batches<HostTensor> abandoned = loader.iterator()) {
            abandoned.next();
            begun.await();
            Batches<HostTensor> next = loader.prefetch(0).iterator();
            Thread.currentThread().interrupt();
            OutpostException refusal = assertThrows(OutpostException.class, next::next);
            assertEquals("DataLoader: interrupted while another batch was loaded", refusal.getMessage());
            assertTrue(Thread.interrupted());
            goOn.countDown();
        }
        assertEquals(HostTensor.of(new int[] {0}), loader.iterator().next());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<List<Long>> targets(DataLoader<Example> loader) {
        List<List<Long>> batches = new ArrayList<>();
        loader.forEach(batch ->
                batches.add(Arrays.stream(batch.y().toLongArray()).boxed().toList()));
        return batches;
    }

    private static Stream<Long> targetsOf(Dataset<Example> dataset) {
        return IntStream.range(0, dataset.size())
                .mapToObj(index -> dataset.item(index).y().getLong(0));
    }
}
