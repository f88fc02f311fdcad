package dev.outpost.runtime.cuda.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The checks work for the parts that are installed, and name the missing ones. */
class GpuSelfTestTest {
    private static List<CheckResult> results;

    @BeforeAll
    static void check() {
        results = CudaChecks.run(SearchPlaces.here()).results();
    }

    private static boolean hasGpu() {
        return results.stream().anyMatch(result -> result.name().equals("GPU 0"));
    }

    @Test
    void theGpuComputesWhatItShould() {
        assumeTrue(hasGpu(), "no GPU: " + results.getFirst().detail());
        assertEquals(
                List.of(),
                results.stream()
                        .filter(result -> result.outcome() == CheckOutcome.FAILED)
                        .toList());
        assertTrue(results.stream().anyMatch(result -> result.name().equals("GPU 0 copies")), results::toString);
    }

    @Test
    void withoutAGpuTheSelfTestIsSkipped() {
        assumeFalse(hasGpu(), "there is a GPU");
        assertEquals(CheckResult.skipped("GPU self test", "no GPU to run it on"), results.getLast());
    }
}
