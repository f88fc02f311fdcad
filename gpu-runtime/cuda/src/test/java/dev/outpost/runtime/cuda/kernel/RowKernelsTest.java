package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.CudaEngine;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the GPU calls for rows, and which layouts they do not accept. */
class RowKernelsTest {
    private static final Reduce ROW_SUM = new Reduce(Reduce.Fn.SUM, Axes.of(1), false);
    private static final Reduce COLUMN_SUM = new Reduce(Reduce.Fn.SUM, Axes.of(0), false);

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 24);
    private final CudaEngine engine = EmulatedEngines.over(gpu);

    @AfterEach
    void close() {
        engine.close();
    }

    private static Instruction instruction(Op op, DType dtype, Layout layout) {
        TestOperand[] operands = new TestOperand[op.arity()];
        Arrays.fill(operands, TestOperand.of(OperandSamples.ORDINARY, dtype, layout, 0));
        return EngineComparison.instruction(Case.of(op, operands));
    }

    private GeneratedKernel sum(Reduce reduce, Layout layout) {
        return engine.compile(
                FusedRows.alone(instruction(reduce, DType.FLOAT32, layout)).orElseThrow());
    }

    /** Returns the calls of a sum that has run before, so that its kernels and its memory exist. */
    private List<String> calls(GeneratedKernel sum, Reduce reduce, Layout layout) {
        Array[] operand = {
            TestOperand.of(OperandSamples.ORDINARY, DType.FLOAT32, layout, 0).on(engine)
        };
        int kept = reduce.axes().contains(0) ? 1 : 0;
        Shape shape = Shape.of(layout.shape().size(kept));
        Array[] result = {Array.contiguous(engine.allocate(DType.FLOAT32, shape.elements()), shape)};
        sum.run(reduce, operand, result);
        gpu.calls();
        sum.run(reduce, operand, result);
        return gpu.calls();
    }

    @Test
    void aRowIsTakenByAThreadAWarpOrABlock() {
        Layout few = Layout.contiguous(Shape.of(300, 9));
        Layout some = Layout.contiguous(Shape.of(300, 90));
        Layout many = Layout.contiguous(Shape.of(300, 1090));
        Layout most = Layout.contiguous(Shape.of(3, 9000));
        assertEquals(List.of("launch rows 2 x 256"), calls(sum(ROW_SUM, few), ROW_SUM, few));
        assertEquals(List.of("launch rows 38 x 256"), calls(sum(ROW_SUM, some), ROW_SUM, some));
        assertEquals(List.of("launch rows 300 x 256"), calls(sum(ROW_SUM, many), ROW_SUM, many));
        assertEquals(List.of("launch rows 3 x 1024"), calls(sum(ROW_SUM, most), ROW_SUM, most));
    }

    /** The copy for a launch is released after it. */
    @Test
    void rowsThatAreTurnedAreBroughtThereFirst() {
        Layout turned = Layout.contiguous(Shape.of(90, 30)).transpose(0, 1);
        GeneratedKernel sum = sum(ROW_SUM, turned);
        assertEquals(List.of("launch map 6 x 256", "launch rows 4 x 256"), calls(sum, ROW_SUM, turned));
    }

    @Test
    void teamsLeavePartsOfColumns() {
        Layout matrix = Layout.contiguous(Shape.of(512, 40));
        assertEquals(
                List.of("launch rows 8 x 256", "launch reduce 1 x 256"),
                calls(sum(COLUMN_SUM, matrix), COLUMN_SUM, matrix));
    }

    /** The text depends on the layouts of operands. */
    @Test
    void theListingIsThereOnceItHasRun() {
        Layout matrix = Layout.contiguous(Shape.of(20, 64));
        GeneratedKernel sum = sum(ROW_SUM, matrix);
        assertEquals("", sum.listing());
        calls(sum, ROW_SUM, matrix);
        assertTrue(sum.listing().contains("rows(const Arguments a)"), sum.listing());
    }

    @Test
    void fallibleAndTooLargeOpsAreKernelsOfTheirOwn() {
        Layout matrix = Layout.contiguous(Shape.of(20, 64));
        assertFalse(engine.fusesInRows(instruction(Binary.FLOOR_DIV, DType.INT32, matrix)));
        assertTrue(engine.fusesInRows(instruction(Binary.FLOOR_DIV, DType.FLOAT32, matrix)));
        Layout wide = Layout.contiguous(Shape.of(20, 8193));
        assertFalse(engine.fusesInRows(instruction(COLUMN_SUM, DType.FLOAT32, wide)));
        assertTrue(engine.fusesInRows(instruction(ROW_SUM, DType.FLOAT32, wide)));
    }
}
