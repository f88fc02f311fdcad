package dev.outpost.runtime.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.emulation.IdleGpu;
import dev.outpost.runtime.cuda.engine.CaseSources;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the macros that kernels over pages get for tensor cores. */
@Tag("quick")
class PagedAttentionTextTest {
    private static final String HEAD = """
            #define INDEX i64
            #define STORED bf16
            #define VALUE f32
            #define LOAD bf16_load
            #define STORE bf16_store
            #define SUM f32
            #define TAKE(x) f32_to_f32(bf16_load(x))
            #define GIVE(x) bf16_store(f32_to_f32(x))
            #define KIND "bf16"
            #define TILE 64
            #define THREADS 128
            #define FEATURES 64
            #define HELD 4
            #define ALIGNED 1
            #define CAPPED 0
            #define ATOMS 1
            #define ROWS 64
            """;

    @Test
    void tensorCoresHaveTheSizesOfTheirBlocks() {
        List<String> sources = CaseSources.of(new IdleGpu(80), TensorCoreAttentionTest::eachOfPages);
        String text = sources.stream()
                .filter(source -> source.contains("paged_attention_mma("))
                .findFirst()
                .orElseThrow();
        assertEquals(HEAD, text.substring(0, HEAD.length()));
    }

    @Test
    void devicesWithoutTheInstructionHaveThePlainKernel() {
        List<String> sources = CaseSources.of(new IdleGpu(75), TensorCoreAttentionTest::eachOfPages);
        assertTrue(sources.stream().noneMatch(source -> source.contains("paged_attention_mma(")));
        assertTrue(sources.stream().anyMatch(source -> source.contains("paged_attention(")));
    }
}
