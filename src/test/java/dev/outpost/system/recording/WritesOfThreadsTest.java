package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Index;
import dev.outpost.MachineGroup;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Functional;
import dev.outpost.nn.KeyValueCache;
import dev.outpost.nn.Parameter;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.optim.SGD;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Several threads write one storage in place: no write is lost. */
class WritesOfThreadsTest {
    private static final int THREADS = 8;
    private static final int ROWS = 48;
    private static final int ROUNDS = 4;

    /** Writes row {@code index} of a square of {@link #ROWS} rows, or the same number of other elements. */
    private interface Write {
        void row(Tensor square, int index);
    }

    private enum Writer {
        SELECT_FILL((x, i) -> x.select(0, i).fill_(i + 1)),
        SELECT_ADD((x, i) -> x.select(0, i).add_(i + 1)),
        SELECT_ADDCMUL((x, i) -> x.select(0, i).addcmul_(row(x, i), row(x, i), 2)),
        SELECT_LERP((x, i) -> x.select(0, i).lerp_(row(x, i), 0.5)),
        SELECT_UNIFORM((x, i) -> x.select(0, i).uniform_(i + 1, i + 1)),
        NARROW_COPY((x, i) -> x.narrow(0, i, 1).copy_(row(x, i))),
        NARROW_MUL((x, i) -> x.narrow(0, i, 1).add_(1).mul_(i + 1)),
        SLICE_FILL((x, i) -> x.slice(1, i, i + 1, 1).fill_(i + 1)),
        STRIDED((x, i) -> x.flatten().slice(0, i, x.numel(), ROWS).fill_(i + 1)),
        AS_STRIDED(
                (x, i) -> x.asStrided(new long[] {ROWS}, new long[] {ROWS}, i).fill_(i + 1)),
        DIAGONAL((x, i) -> x.diagonal(i, 0, 1).fill_(i + 1)),
        VIEW_OF_VIEWS(
                (x, i) -> x.t().narrow(0, i, 1).squeeze().view(ROWS / 2, 2).t().fill_(i + 1)),
        OVERLAPPING_SOURCE((x, i) -> x.select(0, i).add_(i).copy_(x.select(0, i).add(1))),
        MASKED_FILL((x, i) -> x.maskedFill_(mask(x, i), i + 1)),
        MASKED_FILL_OF_A_VIEW((x, i) -> x.narrow(1, 0, ROWS - 1).maskedFill_(mask(x, i), i + 1)),
        MASKED_SCATTER((x, i) -> x.maskedScatter_(mask(x, i), row(x, i))),
        SET_AT((x, i) -> x.set(i + 1, Index.at(i))),
        SET_BY_TENSOR((x, i) -> x.set(row(x, i), Index.of(place(x, i)))),
        SET_BY_MASK(
                (x, i) -> x.set(x.newZeros(1).add(i + 1), Index.of(mask(x, i).squeeze()))),
        SET_OF_A_VIEW(
                (x, i) -> x.t().set(row(x, i), Index.all(), Index.of(place(x, i).squeeze()))),
        SCATTER((x, i) -> x.scatter_(0, places(x, i), row(x, i).view(1, ROWS))),
        SCATTER_NUMBER((x, i) -> x.scatter_(0, places(x, i), i + 1)),
        SCATTER_ADD((x, i) -> x.scatterAdd_(0, places(x, i), row(x, i).view(1, ROWS))),
        SCATTER_REDUCE((x, i) -> x.scatterReduce_(0, places(x, i), row(x, i).view(1, ROWS), ScatterReduce.AMAX, true)),
        INDEX_ADD((x, i) -> x.indexAdd_(0, place(x, i), row(x, i).view(1, ROWS))),
        INDEX_COPY((x, i) -> x.indexCopy_(0, place(x, i), row(x, i).view(1, ROWS))),
        INDEX_FILL((x, i) -> x.indexFill_(0, place(x, i), i + 1)),
        INDEX_REDUCE((x, i) -> x.indexReduce_(0, place(x, i), row(x, i).view(1, ROWS), ScatterReduce.AMAX, true)),
        PUT((x, i) -> x.put_(x.machine().arange(ROWS).add(ROWS * i), row(x, i), false)),
        PUT_ACCUMULATED((x, i) -> x.put_(x.machine().arange(ROWS).add(ROWS * i), row(x, i), true)),
        INDEX_PUT((x, i) -> x.indexPut_(new Tensor[] {place(x, i)}, row(x, i), false)),
        INDEX_PUT_BY_MASK((x, i) -> x.indexPut_(new Tensor[] {mask(x, i).squeeze()}, row(x, i), true)),
        WHOLE_ADD((x, i) -> x.add_(mask(x, i).to(DType.FLOAT32), i + 1)),
        THROUGH_DETACHED((x, i) -> x.detach().select(0, i).fill_(i + 1));

        private final Write write;

        Writer(Write write) {
            this.write = write;
        }
    }

    private static Tensor row(Tensor like, int index) {
        return like.newZeros(ROWS).add(index + 1);
    }

    private static Tensor place(Tensor like, int index) {
        return like.machine().tensor(new long[] {index});
    }

    private static Tensor places(Tensor like, int index) {
        return place(like, index).expand(ROWS).view(1, ROWS);
    }

    /** Returns a mask that is true in one row, {@code [ROWS, 1]}. */
    private static Tensor mask(Tensor like, int index) {
        return like.machine().arange(ROWS).eq(index).view(ROWS, 1);
    }

    /** Runs the tasks in threads that start at the same time. Each thread runs every {@code THREADS}-th task. */
    private static void inThreads(int tasks, IntConsumer task) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                done.add(pool.submit(() -> {
                    together.await();
                    for (int index = first; index < tasks; index += THREADS) {
                        task.accept(index);
                    }
                    return null;
                }));
            }
            for (Future<?> each : done) {
                Await.result("a thread that writes", each);
            }
        }
    }

    private static float[] sequential(RemoteMachine machine, Write write) {
        try (Tensor x = machine.zeros(ROWS, ROWS)) {
            for (int index = 0; index < ROWS; index++) {
                write.row(x, index);
            }
            return x.toFloatArray();
        }
    }

    private static void assertNoneIsLost(RemoteMachine machine, Write write) throws Exception {
        float[] expected = sequential(machine, write);
        for (int round = 0; round < ROUNDS; round++) {
            try (Tensor x = machine.zeros(ROWS, ROWS)) {
                inThreads(ROWS, index -> write.row(x, index));
                assertArrayEquals(expected, x.toFloatArray());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("quick")
    void writesToDisjointElementsAreAsOneBehindTheOther(Writer writer) throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            assertNoneIsLost(machine, writer.write);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SELECT_FILL", "SLICE_FILL", "SCATTER", "INDEX_COPY", "WHOLE_ADD"})
    void writesToATensorOfAGroup(Writer writer) throws Exception {
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2).dataParallel()) {
            assertNoneIsLost(group.machine(), writer.write);
        }
    }

    /** Different kinds of writes race with each other, too. */
    @Test
    void writersOfAllKindsRaceEachOther() throws Exception {
        Writer[] kinds = {
            Writer.SELECT_FILL,
            Writer.NARROW_COPY,
            Writer.MASKED_FILL,
            Writer.SET_BY_TENSOR,
            Writer.SCATTER,
            Writer.INDEX_COPY,
            Writer.PUT,
            Writer.WHOLE_ADD
        };
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            assertNoneIsLost(machine, (x, index) -> kinds[index % kinds.length].write.row(x, index));
        }
    }

    @Test
    void writesOfVirtualThreads() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                Tensor x = machine.zeros(500, 4);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writes = new ArrayList<>();
            for (int index = 0; index < 500; index++) {
                int row = index;
                writes.add(pool.submit(() -> x.select(0, row).fill_(row + 1)));
            }
            for (Future<?> each : writes) {
                Await.result("a write", each);
            }
            float[] column = x.select(1, 0).toFloatArray();
            for (int row = 0; row < 500; row++) {
                assertEquals(row + 1, column[row]);
            }
        }
    }

    /** More than PyTorch promises: an op on the same elements is not lost either. */
    @Test
    @Tag("quick")
    void additionsToTheSameElementsAddUp() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                Tensor x = machine.zeros(3)) {
            inThreads(400, index -> x.add_(1));
            assertArrayEquals(new float[] {400, 400, 400}, x.toFloatArray());
        }
    }

    // ---- programs

    private record Row(RemoteMachine machine, int index) {
        Tensor place() {
            return machine.tensor(new long[] {index});
        }

        Tensor values() {
            return machine.full(index + 1, DType.FLOAT32, 1, ROWS);
        }
    }

    /** Calls of one program that write a tensor from outside, calls of another, and plain writes. */
    @Test
    void programsWriteWhatOtherThreadsWrite() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            float[] expected = sequential(machine, Writer.INDEX_COPY.write);
            for (int round = 0; round < ROUNDS; round++) {
                Tensor x = machine.zeros(ROWS, ROWS);
                Program first = machine.program(inputs -> List.of(x.indexCopy_(0, inputs.get(0), inputs.get(1))));
                Program second =
                        machine.program(inputs -> List.of(inputs.get(0).indexCopy_(0, inputs.get(1), inputs.get(2))));
                inThreads(ROWS, index -> {
                    Row row = new Row(machine, index);
                    switch (index % 3) {
                        case 0 -> first.call(row.place(), row.values());
                        case 1 -> second.call(x, row.place(), row.values());
                        default -> x.select(0, index).fill_(index + 1);
                    }
                });
                assertArrayEquals(expected, x.toFloatArray());
            }
        }
    }

    /** A view is written in a function that one thread traces while others write. */
    @Test
    void aProgramThatWritesThroughAViewIsTracedMeanwhile() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (int round = 0; round < ROUNDS; round++) {
                Tensor x = machine.zeros(ROWS, ROWS);
                inThreads(ROWS, index -> {
                    if (index % 2 == 0) {
                        x.select(0, index).fill_(index + 1);
                    } else {
                        machine.program(inputs -> List.of(x.select(0, index).fill_(index + 1)))
                                .call(machine.zeros(1));
                    }
                });
                assertArrayEquals(sequential(machine, Writer.SELECT_FILL.write), x.toFloatArray());
            }
        }
    }

    /** On a group a scan reads its condition between its runs. Meanwhile other threads write its bound tensors. */
    @ParameterizedTest
    @MethodSource("machines")
    void scansWriteWhatOtherThreadsWrite(Callable<AutoCloseable> open) throws Exception {
        try (AutoCloseable opened = open.call()) {
            RemoteMachine machine = opened instanceof MachineGroup group ? group.machine() : (RemoteMachine) opened;
            Tensor x = machine.zeros(ROWS, ROWS);
            inThreads(ROWS, index -> {
                if (index % 8 == 0) {
                    Program program = machine.program(inputs -> {
                        x.select(0, index).fill_(index + 1);
                        Tensor count = inputs.getFirst().add(1);
                        return List.of(count, count.ge(3));
                    });
                    machine.scanUntil(program, List.of(machine.scalar(0)), 5);
                } else {
                    x.select(0, index).fill_(index + 1);
                }
            });
            assertArrayEquals(sequential(machine, Writer.SELECT_FILL.write), x.toFloatArray());
        }
    }

    private static Stream<Callable<AutoCloseable>> machines() {
        return Stream.of(() -> RemoteMachine.of("mock", "A100"), () -> MachineGroup.of("mock", "A100", 2));
    }

    // ---- state of layers and optimizers

    @Test
    @Tag("quick")
    void runningStatisticsCountEachBatch() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor batch = machine.arange(12).to(DType.FLOAT32).view(4, 3);
            for (Double momentum : new Double[] {0.25, null}) {
                BatchNorm1d alone = norm(machine, momentum);
                BatchNorm1d shared = norm(machine, momentum);
                for (int call = 0; call < 64; call++) {
                    alone.forward(batch);
                }
                inThreads(64, index -> shared.forward(batch));
                assertEquals(64, shared.stateDict().get("num_batches_tracked").getLong(0));
                for (String name : List.of("running_mean", "running_var")) {
                    assertArrayEquals(
                            alone.stateDict().get(name).toFloatArray(),
                            shared.stateDict().get(name).toFloatArray());
                }
            }
        }
    }

    private static BatchNorm1d norm(RemoteMachine machine, Double momentum) {
        BatchNorm1d norm = new BatchNorm1d(3, 1e-5, momentum, true, true);
        norm.to(machine);
        return norm;
    }

    @Test
    void theFunctionTracksBatchesOfThreads() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor batch = machine.arange(12).to(DType.FLOAT32).view(4, 3);
            Tensor mean = machine.zeros(3);
            Tensor variance = machine.ones(3);
            inThreads(64, index -> Functional.batchNorm(batch, mean, variance, null, null, true, 0.25, 1e-5));
            Tensor expected = machine.zeros(3);
            Tensor expectedVariance = machine.ones(3);
            for (int call = 0; call < 64; call++) {
                Functional.batchNorm(batch, expected, expectedVariance, null, null, true, 0.25, 1e-5);
            }
            assertArrayEquals(expected.toFloatArray(), mean.toFloatArray());
            assertArrayEquals(expectedVariance.toFloatArray(), variance.toFloatArray());
        }
    }

    @Test
    @Tag("quick")
    void cachesTakeTheKeysOfAllThreads() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                KeyValueCache cache = new KeyValueCache(machine, 1, 1, 64, 2)) {
            inThreads(64, index -> {
                Tensor key = machine.full(index, DType.FLOAT32, 1, 1, 1, 2);
                cache.append(key, key);
            });
            assertEquals(64, cache.length());
            // A query of zeros weighs all keys alike: the result is the mean of the values.
            float[] mean =
                    cache.attend(machine.zeros(1, 1, 64, 2)).select(2, 63).toFloatArray();
            assertEquals(31.5f, mean[0], 1e-4f);
        }
    }

    /** An optimizer's step writes all of its states between two writes of another thread. */
    @Test
    void stepsOfAnOptimizerLoseNoWrites() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Parameter parameter = Parameter.of(machine.zeros(ROWS, ROWS));
            parameter.tensor().sum().backward();
            SGD optimizer = new SGD(List.of(parameter), 1);
            inThreads(ROWS, index -> {
                if (index % THREADS == 0) {
                    optimizer.step();
                } else {
                    GradMode.noGrad(() -> parameter.tensor().select(0, index).add_(index + 1));
                }
            });
            float[] column = parameter.tensor().detach().select(1, 0).toFloatArray();
            for (int row = 0; row < ROWS; row++) {
                float written = row % THREADS == 0 ? 0 : row + 1;
                assertEquals(written - ROWS / THREADS, column[row]);
            }
        }
    }

    // ---- gradients

    @Test
    @Tag("quick")
    void gradientsOfThreadsAddUp() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                var scope = machine.scope()) {
            Tensor leaf = machine.ones(4).requiresGrad(true);
            for (int round = 1; round <= 10; round++) {
                inThreads(80, index -> leaf.mul(index + 1).sum().backward());
                assertArrayEquals(filled(4, 3240 * round), leaf.grad().toFloatArray());
            }
        }
    }

    private static float[] filled(int count, float value) {
        float[] filled = new float[count];
        Arrays.fill(filled, value);
        return filled;
    }

    @Test
    void gradientsAreReadAndDroppedMeanwhile() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor leaf = machine.ones(4).requiresGrad(true);
            inThreads(400, index -> {
                switch (index % 4) {
                    case 0 -> leaf.grad(null);
                    case 1 -> {
                        Tensor seen = leaf.grad();
                        if (seen != null) {
                            float[] values = seen.toFloatArray();
                            assertArrayEquals(filled(4, values[0]), values);
                        }
                    }
                    default -> leaf.mul(2).sum().backward();
                }
            });
        }
    }

    /** Threads write rows of a tensor on the graph. The gradient of each row flows to the value that was written there. */
    @Test
    void gradientsFlowToWhatEachThreadWrote() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor leaf = machine.arange(ROWS).to(DType.FLOAT32).requiresGrad(true);
            for (int round = 0; round < ROUNDS; round++) {
                Tensor x = machine.zeros(ROWS, 4);
                inThreads(ROWS, index -> x.select(0, index).copy_(leaf.select(0, index)));
                leaf.grad(null);
                x.mul(x).sum().backward();
                float[] gradient = leaf.grad().toFloatArray();
                for (int row = 0; row < ROWS; row++) {
                    assertEquals(8f * row, gradient[row]);
                }
            }
        }
    }

    @Test
    void aGraphThatThreadsShareGivesEachItsGradients() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor leaf = machine.ones(4).requiresGrad(true);
            Tensor shared = leaf.mul(leaf).exp().sum();
            inThreads(80, index -> shared.backward(null, true));
            float[] all = leaf.grad().toFloatArray();
            assertEquals(80 * 2 * Math.E, all[0], 1e-2);
        }
    }

    /** The order of the threads is not known, but each gets all gradients or an error with the reason. */
    @Test
    void aGraphThatIsFreedByOneThreadIsRefusedToOthersByName() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (int round = 0; round < 60; round++) {
                Tensor leaf = machine.ones(4).requiresGrad(true);
                Tensor shared = leaf.mul(leaf).exp().sum();
                AtomicInteger done = new AtomicInteger();
                inThreads(THREADS, index -> {
                    try {
                        shared.backward();
                        done.incrementAndGet();
                    } catch (OpException failure) {
                        assertTrue(failure.getMessage().contains("freed by an earlier backward"), failure::toString);
                    }
                });
                assertTrue(done.get() > 0);
                float sum = leaf.grad().toFloatArray()[0];
                assertEquals(done.get() * 2 * Math.E, sum, 1e-3);
            }
        }
    }

    @Test
    void programsAddToTheGradientsOfOtherThreads() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor leaf = machine.ones(4).requiresGrad(true);
            Program program = machine.program(inputs -> {
                leaf.mul(inputs.getFirst()).sum().backward();
                return List.of(inputs.getFirst().add(1));
            });
            leaf.sum().backward();
            Tensor two = machine.full(2, DType.FLOAT32, 1);
            inThreads(80, index -> {
                if (index % 2 == 0) {
                    program.call(two);
                } else {
                    leaf.mul(3).sum().backward();
                }
            });
            assertArrayEquals(filled(4, 1 + 40 * 2 + 40 * 3), leaf.grad().toFloatArray());
        }
    }

    // ---- versions and closes

    /** A tensor saved for backward keeps its value, even if other threads write to the storage later. */
    @Test
    void whatIsSavedForBackwardStays() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor weight = machine.ones(ROWS, 4).requiresGrad(true);
            Tensor x = machine.ones(ROWS, 4);
            Tensor product = weight.mul(x);
            inThreads(ROWS, index -> x.select(0, index).fill_(index + 7));
            product.sum().backward();
            assertArrayEquals(filled(4 * ROWS, 1), weight.grad().toFloatArray());
        }
    }

    @Test
    void closesOfViewsRaceWrites() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                Tensor x = machine.zeros(ROWS, ROWS)) {
            inThreads(ROWS * 20, index -> {
                int row = index % ROWS;
                try (Tensor view = x.select(0, row);
                        Tensor other = x.t()) {
                    view.add_(1);
                    assertFalse(other.isClosed());
                }
            });
            assertArrayEquals(filled(ROWS * ROWS, 20), x.toFloatArray());
        }
    }

    /** A write waits for the op of another thread that has begun, and reads wait for neither. */
    @Test
    @Tag("quick")
    void aWriteWaitsForTheOneThatHasBegunAndAReadDoesNot() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100");
                ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Parameter parameter = Parameter.of(machine.zeros(2));
            parameter.tensor().sum().backward();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            Future<?> step = pool.submit(() -> new StoppedOptimizer(parameter, begun, goOn).step());
            Await.opened("the step", begun);
            assertArrayEquals(new float[] {0, 0}, parameter.tensor().detach().toFloatArray());
            CountDownLatch started = new CountDownLatch(1);
            Thread[] writer = new Thread[1];
            Future<?> write = pool.submit(() -> {
                writer[0] = Thread.currentThread();
                started.countDown();
                GradMode.noGrad(() -> parameter.tensor().select(0, 1).add_(10));
            });
            Await.opened("the write", started);
            Await.until("the write waits", () -> writer[0].getState() == Thread.State.WAITING);
            assertFalse(write.isDone());
            goOn.countDown();
            Await.result("the step", step);
            Await.result("the write", write);
            assertArrayEquals(new float[] {-1, 9}, parameter.tensor().detach().toFloatArray());
        } catch (ExecutionException failure) {
            throw new AssertionError(failure.getCause());
        }
    }
}
