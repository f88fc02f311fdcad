package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests kernels that the host computes instead of the GPU. */
class HostKernelsTest {
    private final EmulatedGpu gpu = new EmulatedGpu(1 << 24);
    private final CudaEngine engine = EmulatedEngines.over(gpu);

    private static TestOperand doubles(Layout layout, double... values) {
        HeapBuffer elements = HeapBuffer.allocate(DType.FLOAT64, values.length);
        System.arraycopy(values, 0, elements.doubles(), 0, values.length);
        return new TestOperand(elements, layout);
    }

    private double[] read(Array array) {
        byte[] bytes = engine.read(array, 0, (int) array.shape().elements());
        double[] elements = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(elements);
        return elements;
    }

    /** Operands are read after the kernels that compute them, results are written before the kernels that use them. */
    @Test
    void standsInTheOrderOfKernels() {
        TestOperand triangle = doubles(Layout.contiguous(Shape.of(2, 2)), -2, 0, -1, -4);
        TestOperand right = doubles(Layout.contiguous(Shape.of(2, 1)), 2, 9);
        TriangularSolve solve = new TriangularSolve(false, false);
        Instruction solving = EngineComparison.instruction(Case.of(solve, triangle, right));
        Kernel negation = engine.compile(EngineComparison.instruction(Case.of(Unary.NEG, triangle)));
        Kernel last = engine.compile(EngineComparison.instruction(Case.of(Unary.NEG, right)));
        Array negative = Array.contiguous(engine.allocate(DType.FLOAT64, 4), Shape.of(2, 2));
        Array solved = Array.contiguous(engine.allocate(DType.FLOAT64, 2), Shape.of(2, 1));
        Array out = Array.contiguous(engine.allocate(DType.FLOAT64, 2), Shape.of(2, 1));
        negation.run(Unary.NEG, new Array[] {triangle.on(engine)}, new Array[] {negative});
        engine.compile(solving).run(solve, new Array[] {negative, right.on(engine)}, new Array[] {solved});
        last.run(Unary.NEG, new Array[] {solved}, new Array[] {out});
        assertArrayEquals(new double[] {-1, -2}, read(out));
    }

    @Test
    void hostKernelIsNotCapturedAndIsNamed() {
        TestOperand triangle = doubles(Layout.contiguous(Shape.of(1, 1)), 2);
        Instruction solving =
                EngineComparison.instruction(Case.of(new TriangularSolve(false, false), triangle, triangle));
        assertFalse(engine.unites(solving));
        String listing = engine.compile(solving).listing();
        assertTrue(listing.startsWith("on the host, by cpu, "), listing);
    }

    /** Three right-hand sides of two rows each, and one triangle of four elements. */
    @Test
    void copiesWhatIsRepeatedOnce() {
        TestOperand triangle = doubles(Layout.contiguous(Shape.of(1, 2, 2)).expand(Shape.of(3, 2, 2)), 1, 0, 0, 1);
        TestOperand right = doubles(Layout.contiguous(Shape.of(3, 2, 1)), 1, 2, 3, 4, 5, 6);
        TriangularSolve solve = new TriangularSolve(false, false);
        Kernel kernel = engine.compile(EngineComparison.instruction(Case.of(solve, triangle, right)));
        Array solved = Array.contiguous(engine.allocate(DType.FLOAT64, 6), Shape.of(3, 2, 1));
        Array[] operands = {triangle.on(engine), right.on(engine)};
        gpu.calls();
        kernel.run(solve, operands, new Array[] {solved});
        assertEquals(
                List.of("download 32", "download 48"),
                gpu.calls().stream()
                        .filter(call -> call.startsWith("download "))
                        .toList());
        assertArrayEquals(new double[] {1, 2, 3, 4, 5, 6}, read(solved));
    }
}
