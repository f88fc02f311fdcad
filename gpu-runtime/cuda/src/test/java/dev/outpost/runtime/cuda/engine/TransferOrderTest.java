package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large transfers run beside kernels, and dependent work waits for them, whichever the device does first. */
class TransferOrderTest {
    private static final int COUNT = 1 << 14;
    private static final long OWNER = 1;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 24);
    private final CudaEngine engine = EmulatedEngines.over(gpu);
    private final Kernel add = engine.compile(EngineComparison.instruction(
            Case.of(Binary.ADD, TestOperand.longs(new long[COUNT]), TestOperand.longs(new long[COUNT]))));

    @AfterEach
    void nothingIsLeft() {
        engine.close();
        assertEquals(0, gpu.liveMarks());
    }

    private Array value() {
        return Array.contiguous(engine.allocate(DType.INT64, COUNT, OWNER), Shape.of(COUNT));
    }

    private Array value(long element) {
        Array array = value();
        write(array, element);
        return array;
    }

    private void write(Array array, long element) {
        ByteBuffer bytes = ByteBuffer.allocate(COUNT * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(all(element));
        engine.write(array.buffer(), 0, new Slice(bytes.array()));
    }

    private static long[] all(long element) {
        long[] elements = new long[COUNT];
        Arrays.fill(elements, element);
        return elements;
    }

    private long[] read(Array array) {
        long[] elements = new long[COUNT];
        ByteBuffer.wrap(engine.read(array, 0, COUNT))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(elements);
        return elements;
    }

    private void twice(Array in, Array out) {
        add.run(Binary.ADD, new Array[] {in, in}, new Array[] {out});
    }

    private void release(Array... arrays) {
        for (Array array : arrays) {
            engine.release(array.buffer());
        }
    }

    private static DeviceAllocation block(Array array) {
        return ((CudaBuffer) array.buffer()).allocation();
    }

    /** Kernels in between delay neither the transfers to the device nor those from it. */
    @Test
    void piecesGoToTheDeviceTogether() {
        Array array = value();
        ByteBuffer bytes = ByteBuffer.allocateDirect(COUNT * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(all(7));
        // No border between two pieces is a border between elements.
        ByteBuffer[] pieces = new ByteBuffer[9];
        for (int piece = 0, from = 0; piece < pieces.length; piece++) {
            int to = piece + 1 == pieces.length ? bytes.capacity() : from + 14_011;
            pieces[piece] = bytes.slice(from, to - from);
            from = to;
        }
        gpu.calls();
        engine.write(array.buffer(), 0, Bytes.of(pieces));
        List<String> uploads =
                gpu.calls().stream().filter(call -> call.startsWith("upload")).toList();
        assertEquals(List.of("upload 131072 beside"), uploads);
        assertArrayEquals(all(7), read(array));
        release(array);
    }

    @Test
    void transfersRunBesideKernelsThatHaveNothingToDoWithThem() {
        gpu.copiesFirst(true);
        Array array = value(1);
        AtomicBoolean isComputed = new AtomicBoolean();
        gpu.append(() -> isComputed.set(true));
        gpu.calls();
        write(array, 2);
        assertArrayEquals(all(2), read(array));
        assertFalse(isComputed.get());
        List<String> calls = gpu.calls();
        assertTrue(calls.contains("upload 131072 beside") && calls.contains("download 131072 beside"), calls::toString);
        assertFalse(calls.contains("mark"), calls::toString);
        release(array);
    }

    /** A batch arrives while the previous step computes, in the memory of the batch before the previous one. */
    @Test
    void aBatchComesWhileTheOneBeforeIsComputedWith() {
        gpu.copiesFirst(true);
        Array out = value();
        Array first = value(1);
        twice(first, out);
        release(first);
        Array second = value(2);
        Array third = value(3);
        AtomicBoolean isComputed = new AtomicBoolean();
        gpu.append(() -> isComputed.set(true));
        twice(second, out);
        release(second);
        // The write finds a mark that was set before the kernel on the second batch.
        write(third, 4);
        assertArrayEquals(all(4), read(third));
        assertFalse(isComputed.get());
        assertArrayEquals(all(4), read(out));
        assertTrue(isComputed.get());
        release(out, third);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void computationWaitsForItsUpload(boolean copiesFirst) {
        gpu.copiesFirst(copiesFirst);
        Array in = value(5);
        Array out = value();
        twice(in, out);
        assertArrayEquals(all(10), read(out));
        write(in, 6);
        twice(in, out);
        write(in, 7);
        assertArrayEquals(all(12), read(out));
        assertArrayEquals(all(7), read(in));
        release(in, out);
    }

    /** The kernel that reads the old contents ends before the upload begins. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memoryThatKernelsHadIsWrittenWhenTheyAreDone(boolean copiesFirst) {
        gpu.copiesFirst(copiesFirst);
        Array in = value(5);
        Array out = value();
        twice(in, out);
        release(in);
        Array next = value(6);
        assertSame(block(in), block(next));
        assertArrayEquals(all(10), read(out));
        assertArrayEquals(all(6), read(next));
        release(out, next);
    }

    /** The uploaded value was never used; its bytes must not overwrite a later value in the same memory. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memoryThatAnUploadHadIsUsedWhenItHasArrived(boolean copiesFirst) {
        gpu.copiesFirst(copiesFirst);
        Array in = value(5);
        Array unused = value(6);
        release(unused);
        Array out = value();
        assertSame(block(unused), block(out));
        twice(in, out);
        assertArrayEquals(all(10), read(out));
        release(in, out);
    }

    /** The last piece of an upload may be small; it is transferred like the first pieces. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void piecesOfAnUploadArriveInOrder(boolean copiesFirst) {
        gpu.copiesFirst(copiesFirst);
        Array in = value(5);
        engine.write(in.buffer(), COUNT - 1, new Slice(new byte[Long.BYTES]));
        Array out = value();
        twice(in, out);
        long[] expected = all(10);
        expected[COUNT - 1] = 0;
        assertArrayEquals(expected, read(out));
        release(in, out);
    }

    @Test
    void marksAreForgotten() {
        Array in = value(0);
        Array out = value();
        for (int step = 1; step < 100; step++) {
            twice(in, out);
            write(in, step);
            assertTrue(gpu.liveMarks() < 24, () -> gpu.liveMarks() + " marks");
        }
        release(in, out);
    }
}
