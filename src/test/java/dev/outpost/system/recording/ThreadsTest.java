package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests many threads on one machine, and programs that run ahead of it. */
class ThreadsTest {
    private static final int THREADS = 8;
    private static final int WRITES = 20_000;

    @Test
    @Tag("quick")
    void threadsRecordSideBySide() throws ExecutionException, InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            Tensor shared = machine.ones(16);
            List<Future<Double>> sums = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int addend = thread;
                sums.add(pool.submit(() -> chain(shared, addend)));
            }
            for (int thread = 0; thread < THREADS; thread++) {
                assertEquals(16.0 * (1 + 200 * thread), sums.get(thread).get());
            }
        }
    }

    private static double chain(Tensor start, int addend) {
        Tensor x = start;
        for (int step = 0; step < 200; step++) {
            x = x.add(addend);
        }
        return x.sum().itemDouble();
    }

    /** A value that is also an input of another thread's open segment is an input of each segment once, in any order of the threads. */
    @Test
    @Tag("quick")
    void aSharedValueIsAnInputOfSeveralOpenSegments() throws ExecutionException, InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            Tensor shared = machine.ones(2);
            machine.synchronize();
            Tensor first = shared.add(1);
            Tensor others = other.submit(() -> shared.add(2)).get();
            Tensor second = shared.add(first);
            Tensor othersSecond = other.submit(() -> shared.mul(others)).get();
            shared.close();
            assertArrayEquals(new float[] {3, 3}, second.toFloatArray());
            assertArrayEquals(new float[] {3, 3}, othersSecond.toFloatArray());
        }
    }

    @Test
    void viewsThatThreadsOpenAndCloseAtOnceDoNotCloseTheirBase() throws ExecutionException, InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            Tensor shared = machine.ones(2, 2);
            List<Future<?>> views = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                views.add(pool.submit(() -> {
                    for (int view = 0; view < 50_000; view++) {
                        shared.t().close();
                    }
                }));
            }
            for (Future<?> each : views) {
                each.get();
            }
            assertFalse(shared.isClosed());
            shared.close();
            assertTrue(shared.isClosed());
        }
    }

    /** A value is passed from thread to thread while it is still being recorded. */
    @Test
    @Tag("quick")
    void valuesCrossThreads() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            AtomicReference<Tensor> travelling = new AtomicReference<>(machine.zeros(4));
            for (int hop = 0; hop < 50; hop++) {
                Thread thread = Thread.ofVirtual().start(() -> travelling.updateAndGet(x -> x.add(1)));
                thread.join();
            }
            assertArrayEquals(new float[] {50, 50, 50, 50}, travelling.get().toFloatArray());
        }
    }

    @Test
    @Tag("quick")
    void aScopeBelongsToItsThread() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                var scope = machine.scope()) {
            AtomicReference<Tensor> elsewhere = new AtomicReference<>();
            Thread.ofVirtual().start(() -> elsewhere.set(machine.ones(2))).join();
            scope.close();
            assertFalse(elsewhere.get().isClosed());
            assertArrayEquals(new float[] {1, 1}, elsewhere.get().toFloatArray());
        }
    }

    /** The machine starts late: recorded work waits, up to a limit, and then the program waits. */
    @Test
    void aProgramThatRunsAheadIsHeldBackAndLosesNothing() {
        MockProvider late = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofMillis(500)));
        // The time before the machine is requested, because its start begins then.
        long start = System.nanoTime();
        try (RemoteMachine machine = RemoteMachine.of(late, "A100", new MachineOptions())) {
            Tensor x = machine.zeros(1);
            for (int step = 0; step < 1000; step++) {
                try (var scope = machine.scope()) {
                    x.add_(1);
                }
            }
            assertTrue(System.nanoTime() - start >= 300_000_000L, "1000 segments fitted into a bound of 256");
            assertEquals(1000.0, x.itemDouble());
        }
    }

    @Test
    void waitForRoomIsInterruptible() throws InterruptedException {
        MockProvider never = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofMinutes(10)));
        RemoteMachine machine = RemoteMachine.of(never, "A100", new MachineOptions());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread program = Thread.ofPlatform().start(() -> failure.set(failureOf(() -> recordForEver(machine))));
        program.join(Duration.ofMillis(500));
        assertTrue(program.isAlive(), () -> "not held back, but " + failure.get());
        program.interrupt();
        Await.ended("the interrupted program", program);
        assertEquals("interrupted while waiting for room", failure.get().getMessage());
        machine.close();
    }

    private static Object recordForEver(RemoteMachine machine) {
        Tensor x = machine.zeros(1);
        while (!x.isClosed()) {
            try (var scope = machine.scope()) {
                x.add_(1);
            }
        }
        return x;
    }

    private static Throwable failureOf(Callable<?> body) {
        return assertThrows(OutpostException.class, body::call);
    }

    /** Reads during another thread's writes return the value before or after each write. */
    @Test
    void readsRaceWrites() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(3)) {
            Tensor counter = machine.zeros(2, 3);
            CyclicBarrier together = new CyclicBarrier(3);
            AtomicBoolean isOver = new AtomicBoolean();
            Future<?> writes = pool.submit(() -> count(together, isOver, counter));
            Future<?> products = pool.submit(() -> watch(together, isOver, () -> {
                double sum = counter.mul(2).sum().itemDouble();
                return sum / 12;
            }));
            Future<?> turned = pool.submit(() -> watch(together, isOver, () -> {
                float[] seen = counter.t().add(0).toFloatArray();
                assertEquals(seen[0], seen[5]);
                return (double) counter.toFloatArray()[3];
            }));
            writes.get();
            products.get();
            turned.get();
            assertEquals(WRITES, counter.toFloatArray()[5]);
        }
    }

    private static Void count(CyclicBarrier together, AtomicBoolean isOver, Tensor counter) throws Exception {
        together.await();
        try {
            for (int write = 0; write < WRITES; write++) {
                counter.add_(1);
            }
        } finally {
            isOver.set(true);
        }
        return null;
    }

    private static Void watch(CyclicBarrier together, AtomicBoolean isOver, Supplier<Double> look) throws Exception {
        together.await();
        double before = 0;
        while (!isOver.get()) {
            double now = look.get();
            assertTrue(now == Math.rint(now) && now >= before, () -> now + " is none of the values");
            before = now;
        }
        return null;
    }

    /** A call on a tensor that another thread closes is done or refused; the session continues in both cases. */
    @Test
    void callsRaceCloses() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            CyclicBarrier together = new CyclicBarrier(2);
            for (int round = 0; round < 500; round++) {
                Tensor x = machine.ones(2);
                Future<?> close = pool.submit(() -> {
                    together.await();
                    x.close();
                    return null;
                });
                Future<?> call = pool.submit(() -> {
                    together.await();
                    return x.add(1).sum().itemDouble();
                });
                close.get();
                try {
                    assertEquals(4.0, call.get());
                } catch (ExecutionException failure) {
                    assertTrue(failure.getCause().getMessage().contains("closed"), failure.getCause()::toString);
                }
            }
            assertEquals(2.0, machine.ones(2).sum().itemDouble());
        }
    }

    /** A tensor that two threads close releases its storage once, so other users of the storage keep it. */
    @Test
    void closesRaceCloses() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            AtomicInteger arrivals = new AtomicInteger();
            List<Tensor> tensors = new ArrayList<>();
            List<Tensor> others = new ArrayList<>();
            for (int index = 0; index < 20_000; index++) {
                tensors.add(machine.ones(1));
                others.add(tensors.getLast().detach());
            }
            Callable<Void> closeAll = () -> {
                for (int index = 0; index < tensors.size(); index++) {
                    arrivals.incrementAndGet();
                    // Not a barrier with a blocking wait, because a woken thread would come too late.
                    while (arrivals.get() < 2 * (index + 1)) {
                        Thread.onSpinWait();
                    }
                    tensors.get(index).close();
                }
                return null;
            };
            for (Future<Void> closed : pool.invokeAll(List.of(closeAll, closeAll))) {
                closed.get();
            }
            assertTrue(others.stream().noneMatch(Tensor::isClosed), "a storage was let go of twice");
            assertEquals(1.0, others.getLast().itemDouble());
        }
    }

    /** A value in one thread's scope is closed by another thread while the scope gets more values. */
    @Test
    void closesRaceTheScopeOfAnotherThread() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(1)) {
            for (int round = 0; round < 15; round++) {
                AtomicReferenceArray<Tensor> made = new AtomicReferenceArray<>(20_000);
                Future<?> closing = pool.submit(() -> {
                    for (int index = 0; index < made.length(); index++) {
                        while (made.get(index) == null) {
                            Thread.onSpinWait();
                        }
                        made.get(index).close();
                    }
                });
                try (var scope = machine.scope()) {
                    for (int index = 0; index < made.length(); index++) {
                        made.set(index, machine.ones(1));
                    }
                    closing.get();
                    Tensor last = machine.ones(1);
                    scope.close();
                    assertTrue(last.isClosed(), "a tensor outlived its scope");
                }
            }
        }
    }

    /** A fetch returns the value that the tensor had at the call. */
    @Test
    void aFetchIsASnapshot() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor whole = machine.ones(3);
            Tensor part = whole.narrow(0, 1, 2);
            var ofWhole = whole.fetch();
            var ofPart = part.fetch();
            whole.add_(1);
            part.close();
            whole.close();
            assertArrayEquals(new float[] {1, 1, 1}, ofWhole.get().toFloatArray());
            assertArrayEquals(new float[] {1, 1}, ofPart.get().toFloatArray());
            CompletableFuture<HostTensor> leaving;
            try (var scope = machine.scope()) {
                leaving = machine.full(7, DType.FLOAT32, 2).fetch();
            }
            assertArrayEquals(new float[] {7, 7}, leaving.get().toFloatArray());
        }
    }

    /** The recorded work of a thread is computed, and its values are freed, though it ended before they were read. */
    @Test
    void aThreadThatEndsLeavesNothingBehind() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (int request = 0; request < 20; request++) {
                Thread.ofVirtual()
                        .start(() -> {
                            Tensor x = machine.ones(1 << 16);
                            machine.endStep();
                            x.add(1);
                            x.close();
                        })
                        .join();
            }
            machine.ones(1).sum().itemDouble();
            Await.until("the values are let go of", () -> {
                System.gc();
                return machine.heldValues() <= 2 && machine.stats().liveBytes() < 1 << 16;
            });
        }
    }

    @Test
    void programsRaceWritesToWhatTheyRead() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Tensor counter = machine.zeros(3);
            Program doubled = machine.program(
                    inputs -> List.of(counter.mul(2), inputs.getFirst().add(counter)));
            Tensor zero = machine.zeros(3);
            doubled.call(zero);
            CyclicBarrier together = new CyclicBarrier(2);
            AtomicBoolean isOver = new AtomicBoolean();
            Future<?> writes = pool.submit(() -> count(together, isOver, counter));
            Future<?> calls = pool.submit(() -> watch(together, isOver, () -> {
                List<Tensor> answers = doubled.call(zero);
                double now = answers.getLast().toFloatArray()[2];
                assertEquals(2 * now, answers.getFirst().toFloatArray()[0]);
                return now;
            }));
            writes.get();
            calls.get();
        }
    }

    /** One of the threads returns the machine and gets the unreported failure; the other finds the machine closed. */
    @Test
    void twoThreadsCloseAMachine() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 20; round++) {
                RemoteMachine machine = RemoteMachine.of("mock", "A100").awaitReady();
                Tensor lost = machine.tensor(new long[] {1}).indexSelect(0, machine.tensor(new long[] {5}));
                CyclicBarrier together = new CyclicBarrier(2);
                List<Future<Void>> closes = new ArrayList<>();
                for (int thread = 0; thread < 2; thread++) {
                    closes.add(pool.submit(() -> {
                        together.await();
                        machine.close();
                        return null;
                    }));
                }
                assertEquals(1, closes.stream().filter(ThreadsTest::fails).count());
                Reference.reachabilityFence(lost);
            }
        }
    }

    private static boolean fails(Future<Void> call) {
        try {
            call.get();
            return false;
        } catch (ExecutionException failure) {
            assertTrue(failure.getCause().getMessage().contains("index_select"), failure::toString);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void onlyWholeNumbersAreReadAsIntegers() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            assertArrayEquals(
                    new long[] {3, -2}, machine.tensor(new float[] {3, -2}).toLongArray());
            long large = 9007199254740993L;
            assertEquals(large, machine.tensor(new long[] {large}).itemLong());
            assertArrayEquals(
                    new long[] {large}, machine.tensor(new long[] {large}).toLongArray());
            OutpostException half = assertThrows(
                    OutpostException.class,
                    () -> machine.tensor(new float[] {1, 1.5f}).toLongArray());
            assertEquals(
                    "HostTensor.toLongArray: element 1 is no whole number, got 1.5; read doubles, or cast with"
                            + " to(DType.INT64)",
                    half.getMessage());
            assertThrows(OutpostException.class, () -> machine.scalar(0.5).itemLong());
            assertThrows(
                    OutpostException.class, () -> machine.scalar(Double.NaN).itemLong());
            assertThrows(
                    OutpostException.class,
                    () -> machine.tensor(new long[] {large}).toIntArray());
        }
    }
}
