package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Matmul;
import dev.outpost.runtime.cuda.blas.FakeMultiplier;
import dev.outpost.runtime.cuda.device.Multiplier.Factor;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.CudaEngine;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the library's arguments for matrices of all layouts. */
class CudaProductsTest {
    private static Optional<Factor> factor(Layout layout) {
        return Products.factor(layout);
    }

    @Test
    void theLibraryIsToldHowMatricesLie() {
        Layout dense = Layout.contiguous(Shape.of(2, 5, 7));
        assertEquals(Optional.of(new Factor(false, 7, 35)), factor(dense));
        assertEquals(Optional.of(new Factor(true, 7, 35)), factor(dense.transpose(1, 2)));
        assertEquals(
                Optional.of(new Factor(false, 7, 0)),
                factor(Layout.contiguous(Shape.of(1, 5, 7)).expand(Shape.of(4, 5, 7))));
        assertEquals(Optional.of(new Factor(false, 7, 35)), factor(dense.slice(2, 1, 3, 1)));
        assertEquals(Optional.empty(), factor(dense.slice(2, 0, 3, 2)));
        assertEquals(
                Optional.empty(), factor(Layout.contiguous(Shape.of(2, 1, 3)).expand(Shape.of(2, 7, 3))));
    }

    @Test
    void aMatrixIsABatchOfOne() {
        Layout dense = Layout.contiguous(Shape.of(5, 7));
        assertEquals(Optional.of(new Factor(false, 7, 0)), factor(dense));
        assertEquals(Optional.of(new Factor(true, 7, 0)), factor(dense.transpose(0, 1)));
        assertEquals(Optional.empty(), factor(dense.slice(1, 0, 3, 2)));
    }

    /** Computes the products by a library that reads columns, as the real one does. */
    @Test
    void productsByTheLibraryAreTheReferences() throws ReflectiveOperationException {
        EmulatedGpu gpu = new EmulatedGpu(1 << 28);
        FakeMultiplier multiplier = new FakeMultiplier(gpu::append);
        try (CudaEngine engine = EmulatedEngines.over(gpu, multiplier)) {
            EngineComparison comparison = new EngineComparison(new ReferenceEngine(), engine);
            FoldingCases.each(run -> {
                if (run.op() instanceof Matmul && run.types()[0].dtype() == DType.FLOAT32) {
                    comparison.check(run);
                }
            });
        }
        assertTrue(multiplier.products() > 8, "the library was not asked");
    }
}
