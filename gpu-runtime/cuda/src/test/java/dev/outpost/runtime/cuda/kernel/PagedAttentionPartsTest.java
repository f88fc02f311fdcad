package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.CudaEngine;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how the tokens of single queries are cut into parts. */
class PagedAttentionPartsTest {
    private static final int TEXTS = 3;

    /** Texts of unequal lengths, each with one query and more tokens than a part. */
    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        PagedAttentionCases.each(run -> {
            Shape query = run.types()[0].shape();
            if (query.size(0) == TEXTS && query.size(2) == 1 && query.size(3) == 128) {
                cases.add(run);
            }
        });
        return cases;
    }

    @Test
    void aTextHasTheSameBitsWhateverIsBesideIt() {
        assertEquals(4, cases().size());
        try (CudaEngine engine = EmulatedEngines.over(new EmulatedGpu(1 << 26))) {
            for (Case run : cases()) {
                double[] together = TensorCoreAttentionTest.results(engine, run)[0];
                int each = together.length / TEXTS;
                for (int text = 0; text < TEXTS; text++) {
                    double[] alone = TensorCoreAttentionTest.results(engine, alone(run, text))[0];
                    assertArrayEquals(Arrays.copyOfRange(together, text * each, (text + 1) * each), alone);
                }
            }
        }
    }

    private static Case alone(Case run, int text) {
        TestOperand[] operands = run.operands().toArray(TestOperand[]::new);
        for (int operand : new int[] {0, 3, 4}) {
            Layout layout = operands[operand].layout().slice(0, text, 1, 1);
            operands[operand] = new TestOperand(operands[operand].elements(), layout);
        }
        return Case.of(run.op(), operands);
    }

    @Test
    void eachPartHasABlock() {
        EmulatedGpu gpu = new EmulatedGpu(1 << 26);
        try (CudaEngine engine = EmulatedEngines.over(gpu)) {
            Case run = cases().getFirst();
            gpu.calls();
            TensorCoreAttentionTest.results(engine, run);
            // 176 tokens, in parts of 128, of 3 texts with 2 groups each; a row for each of 8 heads.
            assertEquals(
                    List.of("launch paged_attention_parts 12 x 64", "launch paged_attention_fold 24 x 128"),
                    gpu.calls().stream()
                            .filter(call -> call.startsWith("launch paged"))
                            .toList());
        }
    }
}
