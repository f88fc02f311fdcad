package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.launch.Staging;
import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests with a GPU that does nothing until the test allows it: which threads wait, which do not, and by which clock. */
class HeldDeviceTest {
    private static final int ILLEGAL_ADDRESS = 700;
    private static final int LARGE = 1 << 14;
    private static final long OWNER = 1;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 26);
    private final CudaEngine engine = EmulatedEngines.over(gpu);

    @AfterEach
    void nothingIsLeft() {
        gpu.resume();
        engine.close();
        // A lost device has lost its memory.
        assertEquals(0, engine.brokenBy().isPresent() ? 0 : gpu.liveMarks());
    }

    private Array vector(long... elements) {
        return TestOperand.longs(elements).on(engine);
    }

    private Array result(int elements) {
        return Array.contiguous(engine.allocate(DType.INT64, elements, OWNER), Shape.of(elements));
    }

    private Kernel kernel(Op op, TestOperand... operands) {
        return engine.compile(EngineComparison.instruction(Case.of(op, operands)));
    }

    private void run(Binary op, Array left, Array right, Array out) {
        TestOperand operand = TestOperand.longs(new long[(int) left.shape().elements()]);
        kernel(op, operand, operand).run(op, new Array[] {left, right}, new Array[] {out});
    }

    private long[] longs(Array array) {
        return longs(engine.read(array, 0, (int) array.shape().elements()));
    }

    private static long[] longs(byte[] bytes) {
        long[] elements = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(elements);
        return elements;
    }

    private void awaitWaiting(int threads) {
        Await.until(threads + " threads wait", () -> gpu.waiting() >= threads);
    }

    /** Checks that another session's work does not wait. */
    private void assertOthersGoOn() throws Exception {
        Await.within("others go on", () -> {
            Array own = vector(1, 2, 3);
            run(Binary.ADD, own, own, result(3));
            engine.available(1);
            engine.fence();
            engine.release(own.buffer());
        });
    }

    // ---- waiting threads

    @Test
    void aKernelThatMayRefuseKeepsNobodyElseWaiting() throws Exception {
        Array left = vector(7, 8, 9);
        Array zeros = vector(1, 0, 3);
        Array out = result(3);
        // Compiles the kernel beforehand.
        run(Binary.ADD, left, left, out);
        run(Binary.FLOOR_DIV, left, left, out);
        gpu.hold();
        var dividing = CompletableFuture.runAsync(() -> run(Binary.FLOOR_DIV, left, zeros, out));
        awaitWaiting(1);
        assertOthersGoOn();
        assertFalse(dividing.isDone());
        gpu.resume();
        Throwable refusal = assertThrows(Exception.class, dividing::get).getCause();
        assertEquals("floor_divide: integer division by zero, got 8 and 0", refusal.getMessage());
    }

    /** A launch after the answer is queued after launches of other threads, and its reader waits for it. */
    @Test
    void workBehindAFalseRefusalIsInOrder() throws Exception {
        long[] numbers = new long[LARGE];
        Arrays.setAll(numbers, index -> index);
        Array base = vector(numbers);
        Array index = vector(numbers);
        Array out = result(LARGE);
        Array others = vector(numbers);
        IndexSelect select = new IndexSelect(0);
        Kernel kernel = kernel(select, TestOperand.longs(numbers), TestOperand.longs(numbers));
        Array[] in = {base, index};
        kernel.run(select, in, new Array[] {result(LARGE)});
        run(Binary.ADD, others, others, others);
        gpu.copiesFirst(true);
        gpu.hold();
        var selecting = CompletableFuture.runAsync(() -> kernel.run(select, in, new Array[] {out}));
        awaitWaiting(1);
        // A mark after these is later than the turn that the other kernel got at its start.
        run(Binary.ADD, others, others, others);
        Completion read = engine.readLater(others, 0, LARGE, new byte[LARGE * Long.BYTES], 0);
        gpu.resume();
        selecting.get();
        read.await();
        assertArrayEquals(numbers, longs(out));
    }

    @Test
    void waitForStagingBlocksNoOtherSession() throws Exception {
        byte[] bytes = new byte[12 * Staging.BYTES];
        Array value = result(bytes.length / Long.BYTES);
        Array small = vector(1);
        run(Binary.ADD, small, small, small);
        gpu.hold();
        var writing = CompletableFuture.runAsync(() -> engine.write(value.buffer(), 0, new Slice(bytes)));
        awaitWaiting(1);
        assertOthersGoOn();
        assertFalse(writing.isDone());
        gpu.resume();
        writing.get();
        engine.release(value.buffer());
    }

    /**
     * Unused memory is returned once the device has finished using it, and only the caller that needs memory waits for that.
     */
    @Test
    void waitForMemoryBlocksNoOtherSession() throws Exception {
        Array unused = result(5 << 20);
        Array small = vector(1);
        run(Binary.ADD, small, small, small);
        engine.release(unused.buffer());
        gpu.hold();
        run(Binary.ADD, small, small, small);
        var needing = CompletableFuture.supplyAsync(() -> result(6 << 20));
        awaitWaiting(1);
        assertOthersGoOn();
        assertFalse(needing.isDone());
        gpu.resume();
        engine.release(needing.get().buffer());
        OutpostException full = assertThrows(OutpostException.class, () -> result(9 << 20));
        assertEquals(FaultKind.RESOURCES, full.kind());
    }

    // ---- work that is done later

    @Test
    void aFenceIsDoneWhenAllBeforeItHasRun() throws InterruptedException {
        Array left = vector(1, 2);
        run(Binary.ADD, left, left, left);
        engine.fence().await();
        gpu.hold();
        run(Binary.ADD, left, left, left);
        Fence fence = engine.fence();
        run(Binary.ADD, left, left, left);
        Fence last = engine.fence();
        // Runs the first kernel and the fence before the next kernel.
        assertTrue(gpu.advance());
        assertFalse(fence.isDone());
        assertTrue(gpu.advance());
        fence.await();
        assertFalse(last.isDone());
        gpu.resume();
        last.await();
        assertEquals(Optional.empty(), last.failure());
    }

    @Test
    void timesAreTheDevices() throws InterruptedException {
        Array left = vector(1, 2);
        run(Binary.ADD, left, left, left);
        gpu.kernelsTake(Duration.ofMillis(3));
        Stamp begin = engine.stamp();
        run(Binary.ADD, left, left, left);
        Stamp between = engine.stamp();
        run(Binary.ADD, left, left, left);
        run(Binary.ADD, left, left, left);
        Fence end = engine.fence();
        end.await();
        assertEquals(3_000_000, between.nanos() - begin.nanos());
        assertEquals(9_000_000, end.nanos() - begin.nanos());
        run(Binary.ADD, left, left, left);
        Fence later = engine.fence();
        later.await();
        assertEquals(3_000_000, later.nanos() - end.nanos());
    }

    @Test
    void laterReadSeesTheMomentOfAsking() throws InterruptedException {
        Array value = vector(1, 2, 3);
        run(Binary.ADD, value, value, value);
        gpu.hold();
        byte[] then = new byte[24];
        Completion read = engine.readLater(value, 0, 3, then, 0);
        run(Binary.ADD, value, value, value);
        assertFalse(read.isDone());
        gpu.resume();
        read.await();
        assertArrayEquals(new long[] {2, 4, 6}, longs(then));
        assertArrayEquals(new long[] {4, 8, 12}, longs(value));
    }

    @Test
    void laterReadMayBeLargeAndUnaligned() throws InterruptedException {
        long[] numbers = new long[3 * Staging.BYTES / Long.BYTES + 5];
        Arrays.setAll(numbers, index -> index);
        Array value = vector(numbers);
        byte[] all = new byte[numbers.length * Long.BYTES];
        engine.readLater(value, 0, numbers.length, all, 0).await();
        assertArrayEquals(numbers, longs(all));
        Array backwards = new Array(value.buffer(), Layout.of(Shape.of(2, 3), new long[] {1, 2}, 4));
        byte[] some = new byte[4 * Long.BYTES];
        engine.readLater(backwards, 1, 3, some, Long.BYTES).await();
        assertArrayEquals(new long[] {0, 6, 8, 5}, longs(some));
    }

    /** The bytes are lent: later changes of them have no effect. */
    @Test
    void laterWriteHasTakenItsBytes() throws InterruptedException {
        Array value = result(2);
        gpu.hold();
        byte[] bytes = new byte[16];
        bytes[0] = 5;
        bytes[8] = 6;
        Completion arrival = engine.writeLater(value.buffer(), 0, new Slice(bytes));
        Arrays.fill(bytes, (byte) 9);
        assertFalse(arrival.isDone());
        gpu.resume();
        arrival.await();
        assertArrayEquals(new long[] {5, 6}, longs(value));
    }

    /** More bytes than a waiting writer would have in transfer. */
    @Test
    void laterWriteNeverWaits() throws Exception {
        byte[] bytes = new byte[12 * Staging.BYTES];
        new Random(3).nextBytes(bytes);
        Array value = result(bytes.length / Long.BYTES);
        gpu.hold();
        Completion arrival = Await.within(
                "a later write waits for nothing", () -> engine.writeLater(value.buffer(), 0, new Slice(bytes)));
        assertFalse(arrival.isDone());
        gpu.resume();
        arrival.await();
        assertArrayEquals(bytes, engine.read(value, 0, bytes.length / Long.BYTES));
        engine.release(value.buffer());
    }

    // ---- the end

    @Test
    void aDeviceThatFailsMeanwhileFailsAllThatIsWaitedFor() throws InterruptedException {
        Array value = vector(1);
        run(Binary.ADD, value, value, value);
        gpu.hold();
        Fence fence = engine.fence();
        Completion read = engine.readLater(value, 0, 1, new byte[8], 0);
        CudaException failure = assertThrows(
                CudaException.class, () -> new CudaCheck(_ -> "a text").check("cuEventSynchronize", ILLEGAL_ADDRESS));
        gpu.failWith(failure);
        gpu.resume();
        fence.await();
        read.await();
        assertEquals(Optional.of(failure), fence.failure());
        assertTrue(read.failure().isPresent());
        assertEquals(Optional.of(failure.getMessage()), engine.brokenBy());
        assertThrows(OutpostException.class, engine::fence);
    }

    @Test
    void closedItHasToldOfAll() throws InterruptedException {
        Array value = vector(1);
        run(Binary.ADD, value, value, value);
        gpu.hold();
        engine.stamp();
        Fence fence = engine.fence();
        engine.stamp();
        var closing = CompletableFuture.runAsync(engine::close);
        awaitWaiting(1);
        gpu.resume();
        fence.await();
        closing.join();
        assertTrue(gpu.isClosed());
    }
}
