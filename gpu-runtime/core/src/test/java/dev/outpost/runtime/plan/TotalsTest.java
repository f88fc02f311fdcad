package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.TotalRows;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.memory.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What folds everything into one number goes with what feeds it, and comes to the same bits. */
class TotalsTest {
    private static final CpuEngine ENGINE = new CpuEngine(2, 1 << 24);
    private static final CpuEngine ALONE = new CpuEngine(1, 1 << 24);

    @AfterAll
    static void close() {
        ENGINE.close();
        ALONE.close();
    }

    private static Reduce all(Reduce.Fn fn, Shape shape) {
        return new Reduce(fn, Axes.of(IntStream.range(0, shape.rank()).toArray()), false);
    }

    private static TotalRows rows(long... sizes) {
        Shape shape = Shape.of(sizes);
        return TotalRows.of(all(Reduce.Fn.SUM, shape), shape);
    }

    @Test
    void rowsAreTheLastDimensionsWhereTheyCanBe() {
        assertEquals(new TotalRows(4096, 1024, false), rows(4096, 1024));
        assertEquals(new TotalRows(2048, 784, false), rows(64, 32, 28, 28));
        assertEquals(new TotalRows(256, 4096, true), rows(1 << 20));
        assertEquals(new TotalRows(250, 4000, true), rows(1_000_000));
        assertEquals(new TotalRows(2000, 3200, true), rows(100_000, 64));
        assertEquals(new TotalRows(1 << 15, 1 << 15, true), rows(1 << 30));
    }

    @Test
    void fewElementsAndAwkwardOnesHaveNone() {
        assertNull(rows(1 << 14));
        assertNull(rows(1_000_003), "a prime");
        assertNull(rows(1 << 15, 1 << 16), "too many");
        assertNull(TotalRows.of(new Reduce(Reduce.Fn.SUM, Axes.of(1), true), Shape.of(4096, 1024)));
    }

    /** A square, what of it is negative, and the sum and the largest of all; something else goes on with the square. */
    @Test
    void theBitsAreThoseOfOneByOne() {
        compare(1, Shape.of(1 << 17), Shape.of(1));
        compare(1, Shape.of(1_000_000), Shape.SCALAR);
        compare(1, Shape.of(98, 512), Shape.of(512));
        compare(1, Shape.of(300, 64, 3), Shape.of(300, 64, 3));
        compare(1, Shape.of(64, 300), Shape.of(64, 1));
    }

    /** A line along a dimension that a row is cut out of would have to be copied for it. */
    @Test
    void whatBroadcastsAlongACutDimensionStaysApart() {
        compare(3, Shape.of(20_000, 64), Shape.of(64));
    }

    private static void compare(int kernels, Shape shape, Shape other) {
        TensorType type = new TensorType(DType.FLOAT32, shape);
        Sketch sketch = new Sketch();
        int x = sketch.input(type);
        int y = sketch.input(new TensorType(DType.FLOAT32, other));
        int square = sketch.op(Binary.MUL, sketch.op(Binary.ADD, x, y), x);
        sketch.op(all(Reduce.Fn.SUM, shape), square);
        sketch.op(all(Reduce.Fn.MAX, shape), sketch.op(Unary.EXP, square));
        sketch.op(Unary.NEG, square);
        Graph graph = sketch.graph();
        Map<Integer, Array> inputs = Map.of(0, array(ENGINE, type, 1), 1, array(ENGINE, graph.type(1), 2));
        Map<Integer, Array> plain = plain(graph, inputs);
        List<Batch> batches = Fusion.of(graph, ENGINE::fusesInRows);
        assertEquals(kernels, batches.size(), () -> batches.size() + " of " + shape);
        for (CpuEngine engine : List.of(ENGINE, ALONE)) {
            Map<Integer, Array> fused = fused(engine, graph, batches, inputs);
            plain.forEach((value, array) -> assertArrayEquals(
                    bytes(array), bytes(fused.get(value)), () -> "value " + value + " of " + shape));
        }
    }

    private static Map<Integer, Array> plain(Graph graph, Map<Integer, Array> inputs) {
        Map<Integer, Array> values = new HashMap<>(inputs);
        for (Instruction instruction : graph.instructions()) {
            single(ENGINE, instruction, values);
        }
        return values;
    }

    private static void single(CpuEngine engine, Instruction instruction, Map<Integer, Array> values) {
        Array[] operands = IntStream.range(0, instruction.operandCount())
                .mapToObj(position -> values.get(instruction.operand(position)))
                .toArray(Array[]::new);
        Array result = empty(engine, instruction.resultType(0));
        engine.compile(instruction).run(instruction.op(), operands, new Array[] {result});
        values.put(instruction.result(0), result);
    }

    private static Map<Integer, Array> fused(
            CpuEngine engine, Graph graph, List<Batch> batches, Map<Integer, Array> inputs) {
        Map<Integer, Array> values = new HashMap<>(inputs);
        for (Batch batch : batches) {
            if (batch.frame() == null) {
                batch.instructions().forEach(instruction -> single(engine, instruction, values));
                continue;
            }
            Frame frame = batch.frame();
            FusedRows rows = new FusedRows(
                    batch.instructions(), value -> true, (int) frame.rows(), (int) frame.columns());
            Array[] operands = rows.map().sources().stream()
                    .map(source -> values.get(source.instruction().operand(source.position())))
                    .toArray(Array[]::new);
            Array[] results = rows.map().results().stream()
                    .map(value -> empty(engine, graph.type(value)))
                    .toArray(Array[]::new);
            engine.compile(rows).run(batch.instructions().getLast().op(), operands, results);
            for (int result = 0; result < results.length; result++) {
                values.put(rows.map().results().get(result), results[result]);
            }
        }
        return values;
    }

    private static Array empty(CpuEngine engine, TensorType type) {
        return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
    }

    private static Array array(CpuEngine engine, TensorType type, long seed) {
        Array array = empty(engine, type);
        Random random = new Random(seed);
        float[] numbers = new float[(int) type.shape().elements()];
        ByteBuffer bytes =
                ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int index = 0; index < numbers.length; index++) {
            bytes.putFloat((float) random.nextGaussian());
        }
        engine.write(array.buffer(), 0, bytes.array(), 0, bytes.capacity());
        return array;
    }

    private static byte[] bytes(Array array) {
        int count = (int) array.shape().elements();
        byte[] bytes = new byte[4 * count];
        ENGINE.read(array, 0, count, bytes, 0);
        return bytes;
    }
}
