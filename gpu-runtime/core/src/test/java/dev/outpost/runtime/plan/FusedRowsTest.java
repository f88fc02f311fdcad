package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.ReductionShape;
import dev.outpost.runtime.engine.cpu.ChainedEngine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Instructions that are computed row by row, including totals, have the same bits as instructions that run one by one. */
class FusedRowsTest {
    private static final CpuEngine ENGINE = new CpuEngine(2, 1 << 24);
    private static final CpuEngine ALONE = new CpuEngine(1, 1 << 24);
    private static final CpuEngine CHAINED = ChainedEngine.of(2);

    @AfterAll
    static void close() {
        ENGINE.close();
        ALONE.close();
        CHAINED.close();
    }

    private static Reduce all(Reduce.Fn fn, Shape shape) {
        return new Reduce(fn, Axes.of(IntStream.range(0, shape.rank()).toArray()), false);
    }

    private static ReductionShape rows(long... sizes) {
        Shape shape = Shape.of(sizes);
        return ReductionShape.of(all(Reduce.Fn.SUM, shape), shape);
    }

    @Test
    void rowsAreTheLastDimensionsWhereTheyCanBe() {
        assertEquals(new ReductionShape(4096, 1024, false), rows(4096, 1024));
        assertEquals(new ReductionShape(2048, 784, false), rows(64, 32, 28, 28));
        assertEquals(new ReductionShape(256, 4096, true), rows(1 << 20));
        assertEquals(new ReductionShape(250, 4000, true), rows(1_000_000));
        assertEquals(new ReductionShape(2000, 3200, true), rows(100_000, 64));
        assertEquals(new ReductionShape(1 << 15, 1 << 15, true), rows(1 << 30));
    }

    @Test
    void fewElementsAndAwkwardOnesHaveNone() {
        assertNull(rows(1 << 14));
        assertNull(rows(1_000_003), "a prime");
        assertNull(rows(1 << 15, 1 << 16), "too many");
        assertNull(ReductionShape.of(new Reduce(Reduce.Fn.SUM, Axes.of(1), true), Shape.of(4096, 1024)));
    }

    /** A square, its negative part, and the sum and maximum of all; another instruction uses the square. */
    @Test
    void theBitsAreThoseOfOneByOne() {
        compare(1, Shape.of(1 << 17), Shape.of(1));
        compare(1, Shape.of(1_000_000), Shape.SCALAR);
        compare(1, Shape.of(98, 512), Shape.of(512));
        compare(1, Shape.of(300, 64, 3), Shape.of(300, 64, 3));
        compare(1, Shape.of(64, 300), Shape.of(64, 1));
    }

    /** A line along a dimension that is cut into rows would have to be copied. */
    @Test
    void broadcastAlongACutDimensionIsNotFused() {
        compare(3, Shape.of(20_000, 64), Shape.of(64));
    }

    /** A softmax, the index of its maximum, its elements that are above a number and selected, and the rest of the input. */
    @Test
    void masksAndPlacesGoAlong() {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(50, 130));
        Sketch sketch = new Sketch();
        int x = sketch.input(type);
        int wanted = sketch.input(new TensorType(DType.BOOL, Shape.of(50, 130)));
        int level = sketch.input(new TensorType(DType.FLOAT32, Shape.of(1)));
        int power = sketch.op(Unary.EXP, sketch.op(Binary.SUB, x, sketch.op(rows(Reduce.Fn.MAX), x)));
        int softmax = sketch.op(Binary.DIV, power, sketch.op(rows(Reduce.Fn.SUM), power));
        sketch.op(new ArgReduce(ArgReduce.Fn.ARGMAX, 1, false), softmax);
        sketch.op(new ArgReduce(ArgReduce.Fn.ARGMIN, 1, true), softmax);
        int isLarge = sketch.op(Binary.GT, softmax, level);
        int isNeither = sketch.op(Unary.NOT, sketch.op(Binary.OR, isLarge, wanted));
        int chosen = sketch.op(Ternary.WHERE, isNeither, x, softmax);
        sketch.op(Ternary.WHERE, wanted, isLarge, sketch.op(Unary.IS_NAN, chosen));
        sketch.op(new Cast(DType.FLOAT32), isNeither);
        Graph graph = sketch.graph();
        Map<Integer, Array> inputs = new HashMap<>();
        for (int input = 0; input < 3; input++) {
            inputs.put(input, array(graph.type(input), input));
        }
        compare(1, graph, inputs);
    }

    /** Folds of rows and of columns end a separate loop if rows are long, whatever their exact length. */
    @Test
    void foldsOfRowsAndColumnsGoAlong() {
        for (int columns : new int[] {192, 256, 320, 576, 1000, 1024, 4160}) {
            Sketch sketch = new Sketch();
            int x = sketch.input(new TensorType(DType.FLOAT32, Shape.of(300, columns)));
            int weights = sketch.input(new TensorType(DType.FLOAT32, Shape.of(columns)));
            int power = sketch.op(Unary.EXP, sketch.op(Binary.SUB, x, sketch.op(rows(Reduce.Fn.MAX), x)));
            int softmax = sketch.op(Binary.DIV, power, sketch.op(rows(Reduce.Fn.SUM), power));
            int weighted = sketch.op(Binary.MUL, softmax, weights);
            sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), weighted);
            int slope = sketch.op(Binary.SUB, weighted, sketch.op(rows(Reduce.Fn.SUM), weighted));
            sketch.op(new Reduce(Reduce.Fn.MIN, Axes.of(0), false), slope);
            sketch.op(new Reduce(Reduce.Fn.MAX, Axes.of(0), false), x);
            sketch.op(all(Reduce.Fn.SUM, Shape.of(300, columns)), sketch.op(Binary.MUL, slope, softmax));
            Graph graph = sketch.graph();
            compare(1, graph, Map.of(0, array(graph.type(0), 1), 1, array(graph.type(1), 2)));
        }
    }

    private static Reduce rows(Reduce.Fn fn) {
        return new Reduce(fn, Axes.of(1), true);
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
        compare(kernels, graph, Map.of(0, array(type, 1), 1, array(graph.type(1), 2)));
    }

    private static void compare(int kernels, Graph graph, Map<Integer, Array> inputs) {
        Map<Integer, Array> plain = plain(graph, inputs);
        List<KernelBody> batches = Fusion.of(graph, ENGINE::fusesInRows, _ -> true);
        assertEquals(kernels, batches.size(), () -> batches.size() + " over " + graph.type(0));
        for (CpuEngine engine : List.of(ENGINE, ALONE, CHAINED)) {
            Map<Integer, Array> fused = fused(engine, graph, batches, inputs);
            plain.forEach((value, array) -> assertArrayEquals(
                    bytes(array), bytes(fused.get(value)), () -> "value " + value + " over " + graph.type(0)));
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
            CpuEngine engine, Graph graph, List<KernelBody> batches, Map<Integer, Array> inputs) {
        Map<Integer, Array> values = new HashMap<>(inputs);
        for (KernelBody body : batches) {
            if (body.rowMatrix() == null) {
                body.instructions().forEach(instruction -> single(engine, instruction, values));
                continue;
            }
            RowMatrix rowMatrix = body.rowMatrix();
            FusedRows rows = new FusedRows(
                    body.instructions(), value -> true, (int) rowMatrix.rows(), (int) rowMatrix.columns());
            Array[] operands = rows.map().sources().stream()
                    .map(source -> values.get(source.instruction().operand(source.position())))
                    .toArray(Array[]::new);
            Array[] results = rows.map().results().stream()
                    .map(value -> empty(engine, graph.type(value)))
                    .toArray(Array[]::new);
            engine.compile(rows).run(body.instructions().getLast().op(), operands, results);
            for (int result = 0; result < results.length; result++) {
                values.put(rows.map().results().get(result), results[result]);
            }
        }
        return values;
    }

    private static Array empty(CpuEngine engine, TensorType type) {
        return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
    }

    private static Array array(TensorType type, long seed) {
        Array array = empty(ENGINE, type);
        Random random = new Random(seed);
        ByteBuffer bytes = ByteBuffer.allocate((int) type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (type.dtype() == DType.BOOL) {
                bytes.put((byte) random.nextInt(2));
            } else {
                bytes.putFloat((float) random.nextGaussian());
            }
        }
        ENGINE.write(array.buffer(), 0, new Slice(bytes.array()));
        return array;
    }

    private static byte[] bytes(Array array) {
        int count = (int) array.shape().elements();
        byte[] bytes = new byte[array.dtype().bytes() * count];
        ENGINE.read(array, 0, count, bytes, 0);
        return bytes;
    }
}
