package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.Comparison;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Fragments as tensor cores take them, on a warp of coroutines; and which devices and sizes they are for. */
class TensorCoreAttentionTest {
    private static final long MEMORY = 1 << 26;

    /** Those that suit tensor cores: every mask, causal or not, in both dtypes and of both sizes. */
    static void each(Consumer<Case> consumer) {
        AttentionCases.each(run -> {
            DType dtype = run.types()[0].dtype();
            Shape query = run.types()[0].shape();
            boolean isShort = dtype == DType.BFLOAT16 || dtype == DType.FLOAT16;
            boolean fits = query.size(3) == 64 || query.size(3) == 128;
            if (run.op() instanceof Attention && isShort && fits) {
                consumer.accept(run);
            }
        });
    }

    /** The kernels that the cases took, each held to the reference. */
    private static Set<String> kernels(int architecture) {
        EmulatedGpu gpu = new EmulatedGpu(MEMORY, architecture);
        Set<String> kernels = new TreeSet<>();
        try (CudaEngine engine = EmulatedEngines.over(gpu)) {
            each(new Comparison(new ReferenceEngine(), engine)::check);
            gpu.calls().stream()
                    .filter(call -> call.startsWith("launch"))
                    .map(call -> call.split(" ")[1])
                    .forEach(kernels::add);
        }
        return kernels;
    }

    @Test
    void theyAreTheReferences() {
        assertEquals(Set.of("attention_mma"), kernels(80));
    }

    @Test
    void devicesWithoutTheInstructionDoWithoutIt() {
        assertEquals(Set.of("attention"), kernels(75));
    }
}
