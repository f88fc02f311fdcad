package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.FactorizationCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.QuantizedCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every op of the table, with the kernels of a GPU, on coroutines. Each kernel has to be compiled, so the usual run tests only some. */
class CudaAgainstReferenceTest {
    @Test
    void someElementwiseOpsAreTheReferences() {
        each(337, ElementwiseCases::each);
    }

    @Test
    void someFoldsAreTheReferences() {
        each(337, FoldingCases::each);
    }

    @Test
    void someMovesAreTheReferences() {
        each(37, MovingCases::each);
    }

    @Test
    void someWindowsAreTheReferences() {
        each(37, WindowCases::each);
    }

    @Test
    void someAttentionIsTheReferences() {
        each(19, AttentionCases::each);
        each(11, PagedAttentionCases::each);
        each(7, QuantizedCases::each);
    }

    @Test
    void factorizationsAreTheReferences() {
        each(1, FactorizationCases::each);
    }

    @Test
    @Tag("full")
    void elementwiseOpsAreTheReferences() {
        each(1, ElementwiseCases::each);
    }

    @Test
    @Tag("full")
    void foldsAreTheReferences() {
        each(1, FoldingCases::each);
    }

    @Test
    @Tag("full")
    void movesAreTheReferences() {
        each(1, MovingCases::each);
    }

    @Test
    @Tag("full")
    void windowsAreTheReferences() {
        each(1, WindowCases::each);
    }

    @Test
    @Tag("full")
    void attentionIsTheReferences() {
        each(1, AttentionCases::each);
        each(1, PagedAttentionCases::each);
        each(1, QuantizedCases::each);
    }

    /** @param step the distance from one run case to the next */
    private static void each(int step, Consumer<Consumer<Case>> cases) {
        try (CudaEngine engine = EmulatedEngines.open()) {
            EngineComparison comparison = new EngineComparison(new ReferenceEngine(), engine);
            int[] number = {0};
            cases.accept(run -> {
                if (number[0]++ % step == 0) {
                    comparison.check(run);
                }
            });
            assertTrue(number[0] > step, "no case was run");
        }
    }
}
