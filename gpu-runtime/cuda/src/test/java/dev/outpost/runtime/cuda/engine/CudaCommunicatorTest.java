package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests exchanges of two engines on emulated GPUs. */
class CudaCommunicatorTest {
    private static final int ELEMENTS = 2048;
    private static final Duration TIMEOUT = Await.GUARD;

    private final EmulatedCollectives.Wire wire = new EmulatedCollectives.Wire();
    private final List<CudaEngine> engines =
            List.of(EmulatedEngines.open(wire, "library 1", "GPU-0"), EmulatedEngines.open(wire, "library 1", "GPU-1"));
    private List<DeviceCommunicator> members;

    @BeforeEach
    void join() {
        byte[] id = engines.getFirst().collectives().orElseThrow().drawId("key");
        List<CompletableFuture<DeviceCommunicator>> joining = List.of(joining(id, 0), joining(id, 1));
        members = joining.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<DeviceCommunicator> joining(byte[] id, int rank) {
        return CompletableFuture.supplyAsync(
                () -> engines.get(rank).collectives().orElseThrow().join(id, "key", 2, rank, TIMEOUT),
                each -> Thread.ofVirtual().start(each));
    }

    @AfterEach
    void close() {
        engines.forEach(CudaEngine::close);
    }

    private static Collective exchange(Collective.Fn fn, Shape result, Split from, Split to) {
        return new Collective(
                fn,
                new TensorType(DType.FLOAT32, result),
                List.of(0, 1),
                Optional.ofNullable(from),
                Optional.ofNullable(to),
                1,
                1);
    }

    private static byte[] bytes(float value) {
        float[] values = new float[ELEMENTS];
        Arrays.fill(values, value);
        return bytes(values);
    }

    private static byte[] bytes(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    private EngineBuffer buffer(int rank, float value) {
        EngineBuffer buffer = engines.get(rank).allocate(DType.FLOAT32, ELEMENTS);
        engines.get(rank).write(buffer, 0, new Slice(bytes(value)));
        return buffer;
    }

    private byte[] read(int rank, EngineBuffer buffer) {
        return engines.get(rank).read(Array.contiguous(buffer, Shape.of(ELEMENTS)), 0, ELEMENTS);
    }

    private DeviceExchange sum(int rank, EngineBuffer operand, EngineBuffer result) {
        Collective sum = exchange(Collective.Fn.ALL_REDUCE, Shape.of(ELEMENTS), null, null);
        return members.get(rank).prepare(sum, Array.contiguous(operand, Shape.of(ELEMENTS)), result);
    }

    /** The other member has not begun, and no kernel here waits for it. */
    @Test
    void kernelsRunBesideAnExchange() throws Exception {
        EngineBuffer result = buffer(0, 0);
        DeviceExchange waiting = sum(0, buffer(0, 1), result);
        Completion done = waiting.start();
        assertArrayEquals(bytes(7), read(0, buffer(0, 7)));
        assertFalse(done.isDone());
        DeviceExchange other = sum(1, buffer(1, 2), buffer(1, 0));
        other.start();
        assertTrue(done.await(TIMEOUT));
        assertTrue(waiting.finish().await(TIMEOUT));
        assertArrayEquals(bytes(3), read(0, result));
    }

    /** As if a session ended during the exchange. */
    @Test
    void memoryThatIsGivenBackDuringAnExchangeIsUsedBehindIt() throws Exception {
        EngineBuffer result = buffer(0, 0);
        DeviceExchange waiting = sum(0, buffer(0, 1), result);
        Completion done = waiting.start();
        engines.getFirst().release(result);
        EngineBuffer next = engines.getFirst().allocate(DType.FLOAT32, ELEMENTS);
        assertEquals(((CudaBuffer) result).allocation(), ((CudaBuffer) next).allocation(), "the same memory");
        Completion written = engines.getFirst().writeLater(next, 0, new Slice(bytes(9)));
        sum(1, buffer(1, 2), buffer(1, 0)).start();
        assertTrue(done.await(TIMEOUT) && written.await(TIMEOUT));
        assertArrayEquals(bytes(9), read(0, next));
    }

    /** Rows 0 to 2 and 3 to 4 become columns 0 and 1 to 3. */
    @Test
    void partsOfAnySizeAreCutOtherwise() throws Exception {
        Collective first = exchange(
                Collective.Fn.ALL_TO_ALL,
                Shape.of(5, 1),
                new Split(0, List.of(0L, 3L, 5L)),
                new Split(1, List.of(0L, 1L, 4L)));
        Collective second = exchange(
                Collective.Fn.ALL_TO_ALL,
                Shape.of(5, 3),
                first.from().get(),
                first.to().get());
        byte[] above = bytes(0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23);
        byte[] below = bytes(30, 31, 32, 33, 40, 41, 42, 43);
        List<byte[]> results = exchanged(first, Shape.of(3, 4), above, second, Shape.of(2, 4), below);
        assertArrayEquals(bytes(0, 10, 20, 30, 40), results.get(0));
        assertArrayEquals(bytes(1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43), results.get(1));
    }

    /** The cut of a dimension moves, so the second member gives the first one a row. */
    @Test
    void cutsThatMoveTakeTheirElementsWithThem() throws Exception {
        Split before = new Split(0, List.of(0L, 1L, 4L));
        Split behind = new Split(0, List.of(0L, 2L, 4L));
        Collective moved = exchange(Collective.Fn.ALL_TO_ALL, Shape.of(2, 2), before, behind);
        List<byte[]> results =
                exchanged(moved, Shape.of(1, 2), bytes(0, 1), moved, Shape.of(3, 2), bytes(10, 11, 20, 21, 30, 31));
        assertArrayEquals(bytes(0, 1, 10, 11), results.get(0));
        assertArrayEquals(bytes(20, 21, 30, 31), results.get(1));
    }

    private List<byte[]> exchanged(
            Collective first,
            Shape shapeOfFirst,
            byte[] givenByFirst,
            Collective second,
            Shape shapeOfSecond,
            byte[] givenBySecond)
            throws InterruptedException {
        EngineBuffer resultOfFirst =
                engines.get(0).allocate(DType.FLOAT32, first.type().shape().elements());
        EngineBuffer resultOfSecond =
                engines.get(1).allocate(DType.FLOAT32, second.type().shape().elements());
        DeviceExchange ofFirst = members.get(0).prepare(first, operand(0, shapeOfFirst, givenByFirst), resultOfFirst);
        DeviceExchange ofSecond =
                members.get(1).prepare(second, operand(1, shapeOfSecond, givenBySecond), resultOfSecond);
        Completion one = ofFirst.start();
        Completion other = ofSecond.start();
        assertTrue(one.await(TIMEOUT) && other.await(TIMEOUT));
        ofFirst.finish();
        ofSecond.finish();
        return List.of(whole(0, resultOfFirst, first), whole(1, resultOfSecond, second));
    }

    private Array operand(int rank, Shape shape, byte[] elements) {
        EngineBuffer buffer = engines.get(rank).allocate(DType.FLOAT32, shape.elements());
        engines.get(rank).write(buffer, 0, new Slice(elements));
        return Array.contiguous(buffer, shape);
    }

    private byte[] whole(int rank, EngineBuffer result, Collective collective) {
        Shape shape = collective.type().shape();
        return engines.get(rank).read(Array.contiguous(result, shape), 0, (int) shape.elements());
    }

    /** All members must get the same answer, and only the sender knows the size of its elements. */
    @Test
    void bothSidesOfASendTakeItOrNeitherDoes() {
        Collective send = exchange(Collective.Fn.SEND, Shape.of(0), null, null);
        for (int elements : new int[] {16, ELEMENTS}) {
            Collective receive = exchange(Collective.Fn.RECEIVE, Shape.of(elements), null, null);
            assertEquals(elements == ELEMENTS, members.get(0).takes(send, Shape.of(elements)));
            assertEquals(elements == ELEMENTS, members.get(1).takes(receive, null));
        }
    }
}
