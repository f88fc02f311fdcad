package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests graphs with exchanges between two emulated GPUs. */
class ExchangingUnitTest {
    private static final long OWNER = 1;
    private static final int SIZE = 2;
    private static final int ELEMENTS = 1024;
    private static final int MEMORY = 1 << 20;
    private static final Duration TIMEOUT = Await.GUARD;

    private final EmulatedCollectives.Wire wire = new EmulatedCollectives.Wire();
    private final List<EmulatedGpu> gpus = List.of(new EmulatedGpu(MEMORY), new EmulatedGpu(MEMORY));
    private final List<CudaEngine> engines = IntStream.range(0, SIZE)
            .mapToObj(rank -> EmulatedEngines.open(gpus.get(rank), wire, "GPU-" + rank))
            .toList();
    private final Object unit = new Object();
    private final List<Map<List<Object>, Kernel>> kernels = List.of(new HashMap<>(), new HashMap<>());
    private List<DeviceCommunicator> members;

    /** The work of a member, on a separate thread. */
    private interface Work<T> {
        T of(int rank) throws InterruptedException;
    }

    private static <T> List<T> onBoth(Work<T> work) {
        IntFunction<CompletableFuture<T>> each = rank -> CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.of(rank);
                    } catch (InterruptedException interrupted) {
                        throw new CompletionException(interrupted);
                    }
                },
                task -> Thread.ofVirtual().start(task));
        List<CompletableFuture<T>> begun =
                IntStream.range(0, SIZE).mapToObj(each).toList();
        return begun.stream().map(CompletableFuture::join).toList();
    }

    @BeforeEach
    void join() {
        byte[] id = engines.getFirst().collectives().orElseThrow().drawId("key");
        members = onBoth(rank -> engines.get(rank).collectives().orElseThrow().join(id, "key", SIZE, rank, TIMEOUT));
        assertEquals(List.of(true, true), onBoth(rank -> members.get(rank).prepareGroups(SIZE, TIMEOUT)));
        onBoth(rank -> {
            members.get(rank).tryGroups();
            return null;
        });
        members.forEach(DeviceCommunicator::endTrial);
    }

    @AfterEach
    void nothingIsLeft() {
        for (int rank = 0; rank < SIZE; rank++) {
            engines.get(rank).forgetOwner(OWNER);
            engines.get(rank).close();
            assertEquals(0, gpus.get(rank).liveGraphs());
            assertEquals(0, gpus.get(rank).liveMarks());
        }
    }

    // ---- programs

    private Array array(int rank, int... sizes) {
        Shape shape = Shape.of(IntStream.of(sizes).asLongStream().toArray());
        return Array.contiguous(engines.get(rank).allocate(DType.FLOAT32, shape.elements(), OWNER), shape);
    }

    private void write(int rank, Array array, float first) {
        int count = (int) array.shape().elements();
        ByteBuffer bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int index = 0; index < count; index++) {
            bytes.putFloat(first + index);
        }
        engines.get(rank).write(array.buffer(), 0, new Slice(bytes.array()));
    }

    private float[] floats(int rank, Array array) {
        byte[] bytes = engines.get(rank).read(array, 0, (int) array.shape().elements());
        float[] floats = new float[bytes.length / Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
        return floats;
    }

    private Launch kernel(int rank, Op op, Array result, Array... operands) {
        Kernel kernel = kernels.get(rank).computeIfAbsent(List.of(op, result.shape()), fresh -> {
            TestOperand[] like = IntStream.range(0, operands.length)
                    .mapToObj(place -> new TestOperand(
                            HeapBuffer.allocate(
                                    DType.FLOAT32, (int) operands[place].shape().elements()),
                            operands[place].layout()))
                    .toArray(TestOperand[]::new);
            return engines.get(rank).compile(EngineComparison.instruction(Case.of(op, like)));
        });
        return new Launch(kernel, op, operands, new Array[] {result});
    }

    private Launch exchange(int rank, Collective.Fn fn, Split from, Split to, Array result, Array operand) {
        Collective exchange = new Collective(
                fn,
                new TensorType(DType.FLOAT32, result.shape()),
                List.of(0, 1),
                Optional.ofNullable(from),
                Optional.ofNullable(to),
                0,
                0);
        return new Launch(
                members.get(rank).exchanger().orElseThrow(), exchange, new Array[] {operand}, new Array[] {result});
    }

    private Launch sum(int rank, Array result, Array operand) {
        return exchange(rank, Collective.Fn.ALL_REDUCE, null, null, result, operand);
    }

    private Optional<PreparedLaunchGroup> ready(int rank, List<Launch> launches) {
        return engines.get(rank).ready(unit, OWNER, launches);
    }

    /** Launches the work of both members, and waits for the end. */
    private void run(List<List<Launch>> launches) {
        List<Optional<PreparedLaunchGroup>> ready = onBoth(rank -> ready(rank, launches.get(rank)));
        assertTrue(ready.stream().allMatch(Optional::isPresent));
        onBoth(rank -> {
            Completion done = ready.get(rank).orElseThrow().launch();
            assertTrue(done.await(TIMEOUT));
            assertEquals(Optional.empty(), done.failure());
            return null;
        });
    }

    // ---- tests

    /** Each exchange runs beside later kernels, up to the one that reads its result; with different data in each run. */
    @Test
    void everyKindOfExchangeRunsWithinAGraph() {
        Split halves = Split.even(0, ELEMENTS, SIZE);
        Split columns = Split.even(1, 4, SIZE);
        Split rows = Split.even(0, 512, SIZE);
        List<Array> inputs = new ArrayList<>();
        List<List<Array>> results = new ArrayList<>();
        List<List<Launch>> launches = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            Array input = array(rank, ELEMENTS);
            Array twice = array(rank, ELEMENTS);
            Array sum = array(rank, ELEMENTS);
            Array part = array(rank, ELEMENTS / SIZE);
            Array all = array(rank, ELEMENTS);
            Array squares = array(rank, ELEMENTS);
            Array cut = array(rank, 512, 2);
            Array rowsOfInput = Array.contiguous(twice.buffer(), Shape.of(256, 4));
            Array out = array(rank, ELEMENTS);
            Array more = array(rank, ELEMENTS);
            Array last = array(rank, 512, 2);
            launches.add(List.of(
                    kernel(rank, Binary.ADD, twice, input, input),
                    sum(rank, sum, twice),
                    exchange(rank, Collective.Fn.REDUCE_SCATTER, null, halves, part, twice),
                    exchange(rank, Collective.Fn.ALL_TO_ALL, rows, columns, cut, rowsOfInput),
                    kernel(rank, Binary.MUL, squares, input, input),
                    exchange(rank, Collective.Fn.ALL_GATHER, halves, null, all, part),
                    kernel(rank, Binary.ADD, out, sum, squares),
                    kernel(rank, Binary.SUB, more, all, sum),
                    kernel(rank, Binary.ADD, last, cut, cut)));
            inputs.add(input);
            results.add(List.of(out, more, last));
        }
        assertTrue(onBoth(rank -> ready(rank, launches.get(rank))).stream().allMatch(Optional::isEmpty));
        List<String> calls = List.of();
        for (int round = 0; round < 3; round++) {
            for (int rank = 0; rank < SIZE; rank++) {
                write(rank, inputs.get(rank), 3 * rank + round);
            }
            run(launches);
            assertTrue(round == 0 || wire.calls().equals(calls), "the library is asked once");
            calls = wire.calls();
            for (int rank = 0; rank < SIZE; rank++) {
                float[] out = new float[ELEMENTS];
                float[] last = new float[ELEMENTS];
                for (int index = 0; index < ELEMENTS; index++) {
                    float own = 3 * rank + round + index;
                    out[index] = 2 * (2 * round + 3 + 2 * index) + own * own;
                    int row = index / 2;
                    int column = 2 * rank + index % 2;
                    int owner = row / 256;
                    last[index] = 4 * (3 * owner + round + 4 * (row % 256) + column);
                }
                assertArrayEquals(out, floats(rank, results.get(rank).get(0)));
                assertArrayEquals(
                        new float[ELEMENTS], floats(rank, results.get(rank).get(1)));
                assertArrayEquals(last, floats(rank, results.get(rank).get(2)));
            }
        }
    }

    /** Kernels reuse the memory of an exchange's result and operand at once. */
    @Test
    void memoryIsUsedAgainBehindTheExchange() {
        List<Array> inputs = new ArrayList<>();
        List<Array> reused = new ArrayList<>();
        List<List<Launch>> launches = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            Array input = array(rank, ELEMENTS);
            Array one = array(rank, ELEMENTS);
            Array other = array(rank, ELEMENTS);
            launches.add(List.of(
                    kernel(rank, Binary.ADD, one, input, input),
                    sum(rank, other, one),
                    kernel(rank, Binary.MUL, one, input, input),
                    kernel(rank, Binary.SUB, other, one, input)));
            inputs.add(input);
            reused.add(other);
        }
        onBoth(rank -> ready(rank, launches.get(rank)));
        for (int rank = 0; rank < SIZE; rank++) {
            write(rank, inputs.get(rank), 0);
        }
        run(launches);
        float[] expected = new float[ELEMENTS];
        for (int index = 0; index < ELEMENTS; index++) {
            expected[index] = (float) index * index - index;
        }
        for (int rank = 0; rank < SIZE; rank++) {
            assertArrayEquals(expected, floats(rank, reused.get(rank)));
        }
    }

    /** The other members rely on it. */
    @Test
    void whatIsReadyStaysUntilItIsLaunched() {
        Array input = array(0, ELEMENTS);
        Array result = array(0, ELEMENTS);
        Array otherInput = array(1, ELEMENTS);
        Array otherResult = array(1, ELEMENTS);
        List<List<Launch>> launches = List.of(
                List.of(kernel(0, Binary.ADD, input, input, input), sum(0, result, input)),
                List.of(kernel(1, Binary.ADD, otherInput, otherInput, otherInput), sum(1, otherResult, otherInput)));
        write(0, input, 1);
        write(1, otherInput, 2);
        onBoth(rank -> ready(rank, launches.get(rank)));
        List<PreparedLaunchGroup> ready =
                onBoth(rank -> ready(rank, launches.get(rank)).orElseThrow());
        engines.getFirst().forgetGroup(unit);
        engines.getFirst().forgetOwner(OWNER);
        assertEquals(1, gpus.getFirst().liveGraphs());
        List<Completion> done = ready.stream().map(PreparedLaunchGroup::launch).toList();
        onBoth(rank -> done.get(rank).await(TIMEOUT));
        assertEquals(0, gpus.getFirst().liveGraphs());
        assertEquals(6f, floats(0, result)[0]);
        PreparedLaunchGroup unused = ready(1, launches.get(1)).orElseThrow();
        engines.get(1).forgetOwner(OWNER);
        unused.cancel();
        unused.cancel();
        assertFalse(gpus.get(1).liveGraphs() > 1, "dropped when it is cancelled");
    }

    /** The library ends a communicator once no graph contains its exchanges any more. */
    @Test
    void aCommunicatorThatIsAbortedTakesItsGraphsWithIt() {
        Array input = array(0, ELEMENTS);
        Array result = array(0, ELEMENTS);
        List<Launch> launches = List.of(kernel(0, Binary.ADD, input, input, input), sum(0, result, input));
        ready(0, launches);
        Completion stuck = ready(0, launches).orElseThrow().launch();
        assertFalse(stuck.isDone());
        members.getFirst().abort();
        onBoth(rank -> rank != 0 || stuck.await(TIMEOUT));
        assertTrue(stuck.isDone());
        Await.until("no graph is left", () -> gpus.getFirst().liveGraphs() == 0);
    }
}
