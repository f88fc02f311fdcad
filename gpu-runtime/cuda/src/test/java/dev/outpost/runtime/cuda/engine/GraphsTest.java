package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests units of kernels as graphs: when they are captured, launched and captured again, and that nothing of them is left. */
class GraphsTest {
    private static final long OWNER = 1;
    private static final int MEMORY = 1 << 20;

    private final EmulatedGpu gpu = new EmulatedGpu(MEMORY);
    private final CudaEngine engine = EmulatedEngines.over(gpu);
    private final Map<Op, Kernel> kernels = new HashMap<>();
    private final Object unit = new Object();
    private final Array left = vector(7, 8, 9);
    private final Array right = vector(1, 2, 3);

    @AfterEach
    void nothingIsLeft() {
        engine.forgetOwner(OWNER);
        engine.close();
        assertEquals(0, gpu.liveGraphs());
        assertEquals(0, gpu.liveMarks());
    }

    private Array vector(long... elements) {
        Array array = result(elements.length);
        write(array, elements);
        return array;
    }

    private void write(Array array, long... elements) {
        ByteBuffer bytes = ByteBuffer.allocate(elements.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(elements);
        engine.write(array.buffer(), 0, new Slice(bytes.array()));
    }

    private Array result(int elements) {
        return Array.contiguous(engine.allocate(DType.INT64, elements, OWNER), Shape.of(elements));
    }

    private long[] longs(Array array) {
        byte[] bytes = engine.read(array, 0, (int) array.shape().elements());
        long[] elements = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(elements);
        return elements;
    }

    private Launch launch(Op op, Array[] results, Array... operands) {
        Kernel kernel = kernels.computeIfAbsent(op, fresh -> {
            TestOperand[] like = Stream.of(operands)
                    .map(array -> TestOperand.longs(new long[(int) array.shape().elements()]))
                    .toArray(TestOperand[]::new);
            return engine.compile(EngineComparison.instruction(Case.of(op, like)));
        });
        return new Launch(kernel, op, operands, results);
    }

    /** {@code out = (left + right) * right}, with an intermediate value. */
    private List<Launch> twoKernels(Array between, Array out) {
        return List.of(
                launch(Binary.ADD, new Array[] {between}, left, right),
                launch(Binary.MUL, new Array[] {out}, between, right));
    }

    private boolean run(Object what, List<Launch> launches) {
        boolean hasRun = engine.run(what, OWNER, launches);
        if (!hasRun) {
            launches.forEach(Launch::run);
        }
        return hasRun;
    }

    @Test
    void aGroupIsCapturedInItsSecondRunAndLaunchedAsOneFromThen() {
        Array out = result(3);
        List<Launch> launches = twoKernels(result(3), out);
        assertFalse(run(unit, launches));
        assertArrayEquals(new long[] {8, 20, 36}, longs(out));
        gpu.calls();
        assertTrue(run(unit, launches));
        assertEquals(List.of("capture", "launch map 1 x 256", "launch map 1 x 256", "launch graph"), gpu.calls());
        write(left, 0, 0, 0);
        gpu.calls();
        assertTrue(run(unit, launches));
        assertEquals(List.of("launch graph"), gpu.calls());
        assertArrayEquals(new long[] {1, 4, 9}, longs(out));
    }

    /** Like the memory of a value that is computed from itself. */
    @Test
    void memoryThatChangesPlacesInTurnsHasAGraphForEach() {
        Array between = result(3);
        Array one = result(3);
        Array other = result(3);
        for (int time = 0; time < 3; time++) {
            run(unit, twoKernels(between, one));
            run(unit, twoKernels(between, other));
        }
        assertEquals(2, gpu.liveGraphs());
        gpu.calls();
        assertTrue(run(unit, twoKernels(between, one)));
        assertTrue(run(unit, twoKernels(between, other)));
        assertEquals(List.of("launch graph", "launch graph"), gpu.calls());
        assertArrayEquals(longs(one), longs(other));
    }

    @Test
    void theLongestUnusedGraphIsMadeToDoAnotherRun() {
        Array between = result(3);
        run(unit, twoKernels(between, result(3)));
        for (int time = 0; time < Graphs.MAX_OF_A_UNIT; time++) {
            assertTrue(run(unit, twoKernels(between, result(3))));
        }
        gpu.calls();
        Array out = result(3);
        assertTrue(run(unit, twoKernels(between, out)));
        assertEquals(
                "recapture",
                gpu.calls().stream()
                        .filter(call -> call.contains("capture"))
                        .findFirst()
                        .orElseThrow());
        assertEquals(Graphs.MAX_OF_A_UNIT, gpu.liveGraphs());
        assertArrayEquals(new long[] {8, 20, 36}, longs(out));
    }

    /** Capturing would be useless in this case. */
    @Test
    void aGroupWhoseMemoryIsNeverTheSameRunsOneByOne() {
        Array between = result(3);
        run(unit, twoKernels(between, result(3)));
        int captured = 0;
        for (int time = 0; time < 2 * Graphs.TIMEOUT; time++) {
            captured += run(unit, twoKernels(between, result(3))) ? 1 : 0;
        }
        assertEquals(Graphs.TIMEOUT + 1, captured);
    }

    @Test
    void dataOfAnOpAreNotThoseOfAnotherRun() {
        Array out = result(3);
        Kernel fill = engine.compile(EngineComparison.instruction(Case.of(fill(1))));
        for (long value = 1; value <= 4; value++) {
            Launch first = new Launch(fill, fill(value), new Array[0], new Array[] {out});
            run(unit, List.of(first, launch(Binary.ADD, new Array[] {result(3)}, out, out)));
            assertArrayEquals(new long[] {value, value, value}, longs(out));
        }
    }

    private static Op fill(long value) {
        return new Fill(Shape.of(3), Scalar.of(DType.INT64, value));
    }

    /** The host waits once for all fallible kernels together. */
    @Test
    void refusalsAreReadOnceBehindTheGraph() {
        Array quotients = result(3);
        List<Launch> launches = List.of(
                launch(Binary.FLOOR_DIV, new Array[] {quotients}, left, right),
                launch(Binary.REMAINDER, new Array[] {result(3)}, left, right),
                launch(Binary.ADD, new Array[] {result(3)}, quotients, right));
        launches.forEach(Launch::run);
        engine.run(unit, OWNER, launches);
        assertTrue(engine.run(unit, OWNER, launches));
        gpu.calls();
        assertTrue(engine.run(unit, OWNER, launches));
        assertEquals(List.of("launch graph", "download 16", "mark", "await"), gpu.calls());
        write(right, 1, 0, 3);
        assertFalse(engine.run(unit, OWNER, launches));
        write(right, 1, 2, 3);
        assertTrue(engine.run(unit, OWNER, launches));
        assertArrayEquals(new long[] {7, 4, 3}, longs(quotients));
    }

    /** A kernel after an index out of bounds reads nothing outside of its memory. */
    @Test
    void anIndexOutOfBoundsIsRefusedWithTheGroup() {
        Array index = vector(0, 2, 1);
        Array chosen = result(3);
        List<Launch> launches = List.of(
                launch(new Gather(0), new Array[] {chosen}, left, index),
                launch(new Gather(0), new Array[] {result(3)}, right, index));
        launches.forEach(Launch::run);
        engine.run(unit, OWNER, launches);
        assertTrue(engine.run(unit, OWNER, launches));
        assertArrayEquals(new long[] {7, 9, 8}, longs(chosen));
        write(index, 0, 1L << 40, 1);
        assertFalse(engine.run(unit, OWNER, launches));
    }

    /** Other values may have reused the scratch memory of a kernel, unless a graph owns that memory. */
    @Test
    void scratchMemoryOfAGraphIsNobodyElses() {
        Array sorted = result(3);
        Array places = result(3);
        Sort sort = new Sort(0, true);
        List<Launch> launches = List.of(
                launch(sort, new Array[] {sorted, places}, left),
                launch(Binary.ADD, new Array[] {result(3)}, left, right));
        run(unit, launches);
        assertTrue(run(unit, launches));
        Array theirs = Array.contiguous(engine.allocate(DType.INT64, 6, OWNER + 1), Shape.of(6));
        write(theirs, 1, 2, 3, 4, 5, 6);
        assertTrue(run(unit, launches));
        assertArrayEquals(new long[] {1, 2, 3, 4, 5, 6}, longs(theirs));
        assertArrayEquals(new long[] {9, 8, 7}, longs(sorted));
    }

    @Test
    void graphsGiveTheirMemoryBackWhenTheDeviceIsFull() {
        Array long1 = result(1 << 13);
        Sort sort = new Sort(0, false);
        List<Launch> launches = List.of(
                launch(sort, new Array[] {result(1 << 13), result(1 << 13)}, long1),
                launch(Binary.ADD, new Array[] {result(3)}, left, right));
        run(unit, launches);
        assertTrue(run(unit, launches));
        assertEquals(1, gpu.liveGraphs());
        long free = gpu.freeBytes();
        assertTrue(engine.available(Long.MAX_VALUE) >= free + (1 << 17));
        result((int) ((free + (1 << 16)) / Long.BYTES));
        assertEquals(0, gpu.liveGraphs());
    }

    @Test
    void graphRefusedByTheDriverRunsKernelByKernel() {
        gpu.refuseGraphs();
        Array out = result(3);
        List<Launch> launches = twoKernels(result(3), out);
        run(unit, launches);
        assertFalse(run(unit, launches));
        gpu.calls();
        assertFalse(run(unit, launches));
        assertFalse(gpu.calls().contains("capture"));
        assertArrayEquals(new long[] {8, 20, 36}, longs(out));
    }

    @Test
    void graphsGoWithTheirSessionAndWithTheirPlan() {
        Object other = new Object();
        List<Launch> launches = twoKernels(result(3), result(3));
        for (int time = 0; time < 2; time++) {
            run(unit, launches);
            run(other, launches);
        }
        assertEquals(2, gpu.liveGraphs());
        engine.forgetGroup(unit);
        run(other, launches);
        assertEquals(1, gpu.liveGraphs());
        engine.forgetOwner(OWNER);
        assertEquals(0, gpu.liveGraphs());
    }

    @Test
    void graphsAreSoManyAtMost() {
        List<Launch> launches = twoKernels(result(3), result(3));
        for (int number = 0; number < Graphs.MAX_GRAPHS + 10; number++) {
            Object each = new Object();
            run(each, launches);
            engine.run(each, OWNER, launches);
        }
        assertEquals(Graphs.MAX_GRAPHS, gpu.liveGraphs());
    }
}
