package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.CudaEngine;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests fragments for tensor cores, on a warp of coroutines, and for which devices and sizes they are used. */
public class TensorCoreAttentionTest {
    private static final long MEMORY = 1 << 26;

    /** The cases that suit tensor cores: every mask, causal or not, in both dtypes and both sizes. */
    public static void each(Consumer<Case> consumer) {
        AttentionCases.each(run -> {
            DType dtype = run.types()[0].dtype();
            Shape query = run.types()[0].shape();
            boolean isShort = dtype == DType.BFLOAT16 || dtype == DType.FLOAT16;
            boolean fits = query.size(3) == 64 || query.size(3) == 128;
            if (isShort && fits) {
                consumer.accept(run);
            }
        });
    }

    /** The cases over pages that suit tensor cores: with windows and caps, in both dtypes and both sizes. */
    public static void eachOfPages(Consumer<Case> consumer) {
        PagedAttentionCases.each(run -> {
            Shape query = run.types()[0].shape();
            boolean fits = query.size(3) >= 64
                    && query.size(3) == run.types()[2].shape().size(3)
                    && run.types()[0].dtype().bytes() == 2;
            if (fits) {
                consumer.accept(run);
            }
        });
    }

    /**
     * Returns the kernels of the cases; compares each result with the reference.
     *
     * @param step the distance from one run case to the next
     */
    private static Set<String> kernels(int architecture, int step, Consumer<Consumer<Case>> cases) {
        EmulatedGpu gpu = new EmulatedGpu(MEMORY, architecture);
        Set<String> kernels = new TreeSet<>();
        try (CudaEngine engine = EmulatedEngines.over(gpu)) {
            EngineComparison comparison = new EngineComparison(new ReferenceEngine(), engine);
            int[] number = {0};
            cases.accept(run -> {
                if (number[0]++ % step == 0) {
                    comparison.check(run);
                }
            });
            gpu.calls().stream()
                    .filter(call -> call.startsWith("launch"))
                    .map(call -> call.split(" ")[1])
                    .forEach(kernels::add);
        }
        return kernels;
    }

    @Test
    void someAreTheReferences() {
        areTheReferences(7);
    }

    @Test
    @Tag("full")
    void theyAreTheReferences() {
        areTheReferences(1);
    }

    private static void areTheReferences(int step) {
        assertEquals(
                Set.of("attention_mma", "attention_gradient_mma"), kernels(80, step, TensorCoreAttentionTest::each));
        assertEquals(
                Set.of("check_index", "paged_attention_mma", "paged_attention_parts", "paged_attention_fold"),
                kernels(80, step, TensorCoreAttentionTest::eachOfPages));
    }

    /** So many queries that a warp has twice as many of them, without a mask and with each mask, and sections of heads. */
    @Test
    void manyQueriesAreTheReferences() {
        assertEquals(Set.of("attention_mma"), kernels(80, 1, consumer -> {
            Layout keys = Layout.contiguous(Shape.of(1, 20, 40, 64));
            consumer.accept(many(DType.BFLOAT16, true, -1.0 / 256, keys));
            consumer.accept(many(DType.FLOAT16, false, 1.0 / 256, keys, DType.BOOL));
            consumer.accept(many(DType.BFLOAT16, true, 1.0 / 256, keys, DType.BFLOAT16));
            Layout wide = Layout.contiguous(Shape.of(1, 20, 40, 128));
            consumer.accept(many(DType.BFLOAT16, true, 1.0 / 512, wide));
        }));
    }

    /** Rows that are not aligned to 16 bytes, and rows whose features are not adjacent. */
    @Test
    void rowsMayLieAnyhow() {
        assertEquals(Set.of("attention_mma"), kernels(80, 1, consumer -> {
            Layout longer = Layout.contiguous(Shape.of(1, 2, 70, 65));
            consumer.accept(some(DType.FLOAT16, longer.slice(3, 1, 64, 1)));
            Layout turned = Layout.contiguous(Shape.of(1, 2, 64, 70));
            consumer.accept(some(DType.BFLOAT16, turned.transpose(2, 3)));
        }));
    }

    @Test
    void pagesMayLieAnyhow() {
        assertEquals(
                Set.of("check_index", "paged_attention_mma", "paged_attention_parts", "paged_attention_fold"),
                kernels(80, 4, consumer -> eachOfPages(run -> consumer.accept(besideSixteenBytes(run)))));
    }

    /** Returns the case with keys that have an additional number before each row. */
    private static Case besideSixteenBytes(Case run) {
        List<TestOperand> operands = new ArrayList<>(run.operands());
        Shape keys = run.types()[1].shape();
        Shape longer = Shape.of(keys.size(0), keys.size(1), keys.size(2), keys.size(3) + 1);
        Layout layout = Layout.contiguous(longer).slice(3, 1, keys.size(3), 1);
        operands.set(1, TestOperand.of(OperandSamples.ORDINARY, run.types()[1].dtype(), layout, 1));
        return new Case(run.op(), operands, run.length(), run.magnitude());
    }

    private static Case some(DType dtype, Layout keys) {
        return of(dtype, new Attention(false, 1.0 / 256), Shape.of(1, 4, 20, 64), keys);
    }

    /** 40 heads, two per group. */
    private static Case many(DType dtype, boolean causal, double scale, Layout keys, DType... masks) {
        Shape query = Shape.of(1, 40, 66, keys.shape().size(3));
        return of(dtype, new Attention(causal, scale), query, keys, masks);
    }

    private static Case of(DType dtype, Attention op, Shape query, Layout keys, DType... masks) {
        Layout values = Layout.contiguous(keys.shape());
        Layout scores = Layout.contiguous(Attention.scores(query, keys.shape()));
        Stream<TestOperand> operands = Stream.concat(
                Stream.of(
                        TestOperand.of(OperandSamples.ORDINARY, dtype, Layout.contiguous(query), 0),
                        TestOperand.of(OperandSamples.ORDINARY, dtype, keys, 1),
                        TestOperand.of(OperandSamples.ORDINARY, dtype, values, 2)),
                Stream.of(masks).map(mask -> TestOperand.of(OperandSamples.ORDINARY, mask, scores, 6)));
        double length = 2 * (4 * query.size(3) + 20 + values.shape().size(2)) + AttentionCases.ofRoundedWeights(dtype);
        return Case.accumulating((long) length, 4, op, operands.toArray(TestOperand[]::new));
    }

    @Test
    void devicesWithoutTheInstructionDoWithoutIt() {
        assertEquals(Set.of("attention", "attention_gradient"), kernels(75, 13, TensorCoreAttentionTest::each));
        assertEquals(Set.of("check_index", "paged_attention"), kernels(75, 4, TensorCoreAttentionTest::eachOfPages));
    }

    /** Sums of rounded weights and slopes, whose terms have similar sizes: exact within a unit of the largest term. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"BFLOAT16", "FLOAT16"})
    void gradientsAreCloseRelativeToTheLargest(DType dtype) {
        for (long features : new long[] {64, 128}) {
            Layout queries = Layout.contiguous(Shape.of(1, 2, 70, features));
            Layout keys = Layout.contiguous(Shape.of(1, 1, 133, features));
            assertNear(gradient(dtype, true, queries, keys));
        }
    }

    @Test
    void rowsOfGradientsMayLieAnyhow() {
        Layout longer = Layout.contiguous(Shape.of(1, 2, 70, 65)).slice(3, 1, 64, 1);
        Layout turned = Layout.contiguous(Shape.of(1, 1, 64, 40)).transpose(2, 3);
        assertNear(gradient(DType.BFLOAT16, true, longer, turned));
        assertNear(gradient(DType.BFLOAT16, true, Layout.contiguous(longer.shape()), turned));
    }

    /** More heads than take turns, and so many rows that a warp has twice as many of them. */
    @Test
    void gradientsOfManyHeads() {
        Layout many = Layout.contiguous(Shape.of(2, 64, 65, 64));
        Layout few = Layout.contiguous(Shape.of(2, 64, 3, 64));
        assertNear(gradient(DType.FLOAT16, false, many, few));
        assertNear(gradient(DType.FLOAT16, false, few, many));
    }

    /** The weights of a query, which sees as many keys as its number, add up to about 1. */
    private static Case gradient(DType dtype, boolean causal, Layout queries, Layout keys) {
        Shape query = queries.shape();
        Layout rows = Layout.contiguous(Shape.of(query.size(0), query.size(1), query.size(2)));
        TestOperand logarithms = TestOperand.of(OperandSamples.NEAR_ONE, DType.FLOAT32, rows, 4);
        for (int row = 0; row < logarithms.elements().elements(); row++) {
            double logarithm = Math.log(row % query.size(2) + 1);
            logarithms
                    .elements()
                    .setDouble(row, logarithm + logarithms.elements().getDouble(row));
        }
        return Case.of(
                new AttentionGradient(causal, 1.0 / (4 * query.size(3))),
                TestOperand.of(OperandSamples.ORDINARY, dtype, queries, 0),
                TestOperand.of(OperandSamples.ORDINARY, dtype, keys, 1),
                TestOperand.of(OperandSamples.ORDINARY, dtype, keys, 2),
                TestOperand.of(OperandSamples.ORDINARY, dtype, queries, 3),
                logarithms,
                TestOperand.of(OperandSamples.ORDINARY, DType.FLOAT32, rows, 5));
    }

    /** Runs a case and returns the elements of each result. */
    static double[][] results(Engine engine, Case run) {
        Instruction instruction = EngineComparison.instruction(run);
        Array[] in = run.operands().stream().map(operand -> operand.on(engine)).toArray(Array[]::new);
        Array[] out = IntStream.range(0, instruction.resultCount())
                .mapToObj(instruction::resultType)
                .map(type -> Array.contiguous(
                        engine.allocate(type.dtype(), type.shape().elements()), type.shape()))
                .toArray(Array[]::new);
        engine.compile(instruction).run(run.op(), in, out);
        return Stream.of(out).map(array -> numbers(engine, array)).toArray(double[][]::new);
    }

    private static double[] numbers(Engine engine, Array array) {
        int count = (int) array.shape().elements();
        HeapBuffer buffer = HeapBuffer.allocate(array.dtype(), count);
        byte[] bytes = engine.read(array, 0, count);
        HeapTransfer.write(buffer, 0, new Slice(bytes, 0, bytes.length));
        return IntStream.range(0, count).mapToDouble(buffer::getDouble).toArray();
    }

    private static void assertNear(Case run) {
        double[][] expected = results(new ReferenceEngine(), run);
        try (CudaEngine engine = EmulatedEngines.over(new EmulatedGpu(MEMORY))) {
            double[][] found = results(engine, run);
            for (int result = 0; result < expected.length; result++) {
                assertNear(run.types()[0].dtype(), expected[result], found[result]);
            }
        }
    }

    private static void assertNear(DType dtype, double[] expected, double[] found) {
        double unit = dtype == DType.BFLOAT16 ? 0x1p-7 : 0x1p-10;
        double largest = DoubleStream.of(expected).map(Math::abs).max().orElseThrow();
        for (int place = 0; place < expected.length; place++) {
            assertEquals(expected[place], found[place], unit * largest, "element " + place);
        }
    }
}
