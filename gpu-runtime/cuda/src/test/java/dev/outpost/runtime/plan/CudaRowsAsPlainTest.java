package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs that are computed row by row in one kernel have the same bits as their instructions one by one, for all lengths and layouts of
 * rows.
 */
class CudaRowsAsPlainTest {
    private final Engine engine = EmulatedEngines.open();

    @AfterEach
    void close() {
        engine.close();
    }

    /** The layout of the operands of a run. */
    private enum Lie {
        DENSE,
        /** At an offset at which several elements cannot be read at once. */
        SHIFTED,
        /** As transposed views of matrices. */
        TURNED;

        Layout layout(Shape shape) {
            return switch (this) {
                case DENSE -> Layout.contiguous(shape);
                case SHIFTED -> Layout.of(shape, shape.contiguousStrides(), 1);
                case TURNED -> turned(shape);
            };
        }

        private static Layout turned(Shape shape) {
            long[] sizes = shape.toArray();
            return sizes.length == 2
                    ? Layout.of(shape, new long[] {1, sizes[0]}, 0)
                    : Layout.of(shape, new long[] {2}, 0);
        }
    }

    private List<Array> inputs(Graph graph, Lie lie) {
        List<Array> inputs = new ArrayList<>();
        for (int input = 0; input < graph.structure().inputCount(); input++) {
            TensorType type = graph.type(input);
            TestOperand operand =
                    TestOperand.of(OperandSamples.ORDINARY, type.dtype(), lie.layout(type.shape()), input);
            inputs.add(operand.on(engine));
        }
        return inputs;
    }

    /** Compares the results and returns the number of kernels. */
    private long assertAsPlain(Graph graph, Lie lie) {
        List<Array> inputs = inputs(graph, lie);
        PlanRun plain = new PlanRun(engine, Planner.plain(engine), graph, inputs);
        PlanRun planned = new PlanRun(engine, Planner.of(engine), graph, inputs);
        plain.run();
        planned.run();
        Map<Integer, byte[]> expected = plain.outputs();
        assertEquals(expected.keySet(), planned.outputs().keySet());
        expected.forEach(
                (value, bytes) -> assertArrayEquals(bytes, planned.outputs().get(value), "value " + value));
        return planned.kernels();
    }

    /** Rows for a thread, a warp, a block and a large block; values that do not fit in the registers are computed again. */
    @Test
    void softmaxOfRowsOfSomeLengths() {
        softmax(7, 60, 1028, 40000);
    }

    @Test
    @Tag("full")
    void softmaxOfRowsOfManyLengths() {
        softmax(2, 8, 16, 17, 32, 33, 64, 100, 128, 130, 1000, 1024, 1025, 4096, 8192, 8193, 9000, 65536);
    }

    private void softmax(int... lengths) {
        for (int columns : lengths) {
            for (Lie lie : Lie.values()) {
                assertEquals(1, assertAsPlain(FixedPrograms.softmax(DType.FLOAT32, 17, columns), lie), "of " + columns);
            }
        }
    }

    @Test
    void gradientsOfRows() {
        for (int columns : new int[] {9, 200, 8192}) {
            assertEquals(1, assertAsPlain(FixedPrograms.gradientOfSoftmax(DType.FLOAT32, 16, columns), Lie.DENSE));
            assertEquals(1, assertAsPlain(FixedPrograms.crossEntropy(DType.FLOAT32, 16, columns), Lie.DENSE));
        }
    }

    /** Gradients of weights, which are sums of columns, are fused too: over few rows, and over more rows than teams. */
    @Test
    @Tag("full")
    void sumsOfColumns() {
        for (int columns : new int[] {9, 200, 1100, 8192}) {
            assertEquals(1, assertAsPlain(FixedPrograms.gradientOfLayerNorm(DType.FLOAT32, 40, columns), Lie.DENSE));
        }
        for (Lie lie : Lie.values()) {
            assertEquals(1, assertAsPlain(FixedPrograms.gradientOfBias(DType.FLOAT32, 1000, 24), lie));
            assertEquals(1, assertAsPlain(FixedPrograms.gradientOfBias(DType.BFLOAT16, 20_000, 10), lie));
            assertEquals(1, assertAsPlain(FixedPrograms.gradientOfBias(DType.FLOAT64, 70, 1028), lie));
        }
    }

    /** Too many for the registers, so they are folded separately. */
    @Test
    void sumsOfManyColumns() {
        assertEquals(2, assertAsPlain(FixedPrograms.gradientOfBias(DType.FLOAT32, 20, 9000), Lie.DENSE));
    }

    @Test
    @Tag("full")
    void normalizationInEveryFloat() {
        for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16}) {
            for (int columns : new int[] {12, 96, 1536}) {
                assertEquals(1, assertAsPlain(FixedPrograms.layerNorm(dtype, 20, columns), Lie.DENSE));
            }
        }
    }

    @Test
    void softmaxOfNarrowFloats() {
        for (Lie lie : Lie.values()) {
            assertEquals(1, assertAsPlain(FixedPrograms.wideSoftmax(DType.BFLOAT16, 33, 512), lie));
            assertEquals(1, assertAsPlain(FixedPrograms.wideSoftmax(DType.FLOAT16, 33, 1100), lie));
        }
    }

    @Test
    void masksAreReadAndWritten() {
        for (Lie lie : Lie.values()) {
            assertEquals(1, assertAsPlain(FixedPrograms.maskedMean(DType.FLOAT32, 18, 260), lie));
        }
    }
}
