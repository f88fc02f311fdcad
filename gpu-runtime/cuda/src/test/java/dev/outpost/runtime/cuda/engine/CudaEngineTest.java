package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.Staging;
import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The engine's calls to the GPU, and their order. */
class CudaEngineTest {
    private static final int ILLEGAL_ADDRESS = 700;
    private static final int CONTAINED = 226;
    private static final int INVALID_VALUE = 1;
    private static final long OWNER = 1;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 24);
    private final CudaEngine engine = EmulatedEngines.over(gpu);

    private Array vector(long... elements) {
        return TestOperand.longs(elements).on(engine);
    }

    private Array result(int elements) {
        return Array.contiguous(engine.allocate(DType.INT64, elements, OWNER), Shape.of(elements));
    }

    private void run(Binary op, Array left, Array right, Array out) {
        TestOperand operand = TestOperand.longs(new long[(int) left.shape().elements()]);
        engine.compile(EngineComparison.instruction(Case.of(op, operand, operand)))
                .run(op, new Array[] {left, right}, new Array[] {out});
    }

    private long[] longs(Array array) {
        byte[] bytes = engine.read(array, 0, (int) array.shape().elements());
        long[] elements = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(elements);
        return elements;
    }

    /** The host waits only for reads. */
    @Test
    void theHostOnlyAppendsUntilSomethingIsRead() {
        Array left = vector(1, 2, 3);
        Array right = vector(10, 20, 30);
        Array out = result(3);
        gpu.calls();
        run(Binary.ADD, left, right, out);
        run(Binary.MUL, left, right, left);
        assertEquals(List.of("load", "launch map 1 x 256", "load", "launch map 1 x 256"), gpu.calls());
        assertArrayEquals(new long[] {11, 22, 33}, longs(out));
        assertArrayEquals(new long[] {10, 40, 90}, longs(left));
        List<String> calls = gpu.calls();
        assertEquals(List.of("download 24", "mark", "await"), calls.subList(calls.size() - 3, calls.size()));
    }

    @Test
    void aKernelThatMayRefuseIsWaitedFor() {
        Array left = vector(7, 8, 9);
        Array out = result(3);
        gpu.calls();
        run(Binary.FLOOR_DIV, left, vector(1, 2, 3), out);
        assertTrue(gpu.calls().contains("await"));
        OutpostException refusal =
                assertThrows(OutpostException.class, () -> run(Binary.FLOOR_DIV, left, vector(1, 0, 0), out));
        assertEquals("floor_divide: integer division by zero, got 8 and 0", refusal.getMessage());
        assertEquals(Optional.empty(), engine.brokenBy());
    }

    /** The quotient may overwrite the dividend, and the fault still names the dividend. */
    @Test
    void aDivisionIsRefusedByItsDividendEvenInItsPlace() {
        for (Binary op : List.of(Binary.FLOOR_DIV, Binary.TRUNC_DIV, Binary.REMAINDER, Binary.FMOD)) {
            Array dividends = vector(4, -7, 9);
            OutpostException refusal =
                    assertThrows(OutpostException.class, () -> run(op, dividends, vector(2, 0, 0), dividends));
            assertEquals(op.label() + ": integer division by zero, got -7 and 0", refusal.getMessage());
        }
    }

    /** Released memory is reused at once, because the queue is in order. */
    @Test
    void memoryIsUsedAgainWithoutWaiting() {
        Array left = vector(1, 2, 3);
        Array first = result(3);
        run(Binary.ADD, left, left, first);
        engine.release(first.buffer());
        gpu.calls();
        Array second = result(3);
        assertEquals(List.of(), gpu.calls());
        run(Binary.MUL, left, left, second);
        assertEquals(first.buffer(), second.buffer());
        assertArrayEquals(new long[] {1, 4, 9}, longs(second));
    }

    @Test
    void anotherOwnerReadsNothingOfWhatWasThere() {
        Array secret = result(64);
        byte[] bytes = new byte[512];
        Arrays.fill(bytes, (byte) 42);
        engine.write(secret.buffer(), 0, new Slice(bytes));
        engine.release(secret.buffer());
        EngineBuffer theirs = engine.allocate(DType.INT64, 64, OWNER + 1);
        assertEquals(((CudaBuffer) secret.buffer()).allocation(), ((CudaBuffer) theirs).allocation());
        assertArrayEquals(new long[64], longs(Array.contiguous(theirs, Shape.of(64))));
    }

    @Test
    void largeValuesTravelInPieces() {
        int elements = 3 * Staging.BYTES / 8 + 5;
        byte[] bytes = new byte[elements * 8];
        new Random(1).nextBytes(bytes);
        Array value = result(elements);
        engine.write(value.buffer(), 0, new Slice(bytes));
        assertArrayEquals(bytes, engine.read(value, 0, elements));
        Array turned = new Array(value.buffer(), Layout.of(Shape.of(1000, 300), new long[] {1, 1000}, 7));
        byte[] part = engine.read(turned, 301, 2);
        assertArrayEquals(
                Arrays.copyOfRange(bytes, (7 + 1 + 1000) * 8, (7 + 1 + 1000) * 8 + 8), Arrays.copyOf(part, 8));
    }

    @Test
    void moreUploadsThanBuffersWaitForTheOldest() {
        byte[] bytes = new byte[12 * Staging.BYTES];
        new Random(2).nextBytes(bytes);
        Array value = result(bytes.length / 8);
        gpu.calls();
        engine.write(value.buffer(), 0, new Slice(bytes));
        List<String> calls = gpu.calls();
        assertEquals(
                8,
                calls.stream().filter(("host buffer " + Staging.BYTES)::equals).count());
        assertEquals(4, calls.stream().filter("await"::equals).count());
        assertArrayEquals(bytes, engine.read(value, 0, bytes.length / 8));
    }

    @Test
    void aFailureThatLastsIsSaidAndNothingIsTriedAnyMore() {
        Array value = vector(1);
        CudaException failure = failure("cuLaunchKernel", ILLEGAL_ADDRESS);
        gpu.failWith(failure);
        assertThrows(CudaException.class, () -> longs(value));
        assertEquals(Optional.of(failure.getMessage()), engine.brokenBy());
        gpu.calls();
        OutpostException refusal = assertThrows(OutpostException.class, () -> vector(2));
        assertEquals(FaultKind.EXTERNAL, refusal.kind());
        assertEquals("the machine's device failed: " + failure.getMessage(), refusal.getMessage());
        engine.release(value.buffer());
        engine.close();
        assertEquals(List.of(), gpu.calls());
        assertTrue(gpu.isClosed());
    }

    /** The pool has memory for a small value, but the device is asked for its memory. */
    @Test
    void aDeviceThatIsLostWhileNobodyComputesIsNoticed() {
        engine.release(vector(1).buffer());
        gpu.failWith(failure("cuMemGetInfo", CONTAINED));
        engine.release(engine.allocate(DType.INT64, 1));
        assertEquals(Optional.empty(), engine.brokenBy());
        assertThrows(CudaException.class, () -> engine.available(Long.MAX_VALUE));
        assertEquals(Optional.of("cuMemGetInfo: failed with code 226: a text"), engine.brokenBy());
    }

    @Test
    void aFailureThatPassesIsOneCallsOnly() {
        Array value = vector(1);
        gpu.failWith(failure("cuMemcpyDtoHAsync", INVALID_VALUE));
        assertThrows(CudaException.class, () -> longs(value));
        assertEquals(Optional.empty(), engine.brokenBy());
        gpu.failWith(null);
        assertArrayEquals(new long[] {1}, longs(value));
    }

    private static CudaException failure(String call, int code) {
        return assertThrows(CudaException.class, () -> new CudaCheck(any -> "a text").check(call, code));
    }

    @Test
    void tooLargeAllocationIsAFaultOfKindResources() {
        OutpostException full = assertThrows(OutpostException.class, () -> result(1 << 24));
        assertEquals(FaultKind.RESOURCES, full.kind());
        OutpostException absurd =
                assertThrows(OutpostException.class, () -> engine.allocate(DType.INT64, Long.MAX_VALUE, OWNER));
        assertEquals(FaultKind.RESOURCES, absurd.kind());
    }

    @Test
    void closedItHoldsNothing() {
        Array value = vector(1, 2);
        Array out = result(2);
        run(Binary.FMOD, value, value, out);
        engine.release(value.buffer());
        engine.release(out.buffer());
        engine.close();
        engine.close();
        assertTrue(gpu.isClosed());
        assertEquals(0, gpu.liveBlocks());
        assertEquals(0, gpu.liveMarks());
        assertThrows(IllegalStateException.class, () -> vector(1));
    }
}
