package dev.outpost.runtime.cuda.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.cuda.engine.SourceCollector;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checks of a GPU's engine pass here, on one that is emulated; their speed says nothing. */
class EngineCheckTest {
    private static final CheckSizes FEW = new CheckSizes(2999, 1999, Duration.ofSeconds(60), 2, 1000, 33, 1, 65);

    @Test
    void allStepsRunOnAnEmulatedGpu() {
        List<CheckResult> results = new ArrayList<>();
        GpuUnderCheck gpu = new GpuUnderCheck("GPU 0", EmulatedEngines::open, () -> null);
        new EngineCheck(gpu, FEW, 2, results::add).run();
        assertEquals(
                List.of(),
                results.stream()
                        .filter(result -> result.outcome() != CheckOutcome.OK)
                        .toList());
        assertEquals(14, results.size(), results::toString);
        assertEquals(
                "GPU 0 engine: kernels compiled, cold and warm",
                results.getFirst().name());
        String compiled = results.getFirst().name();
        assertTrue(figure(results, compiled, "warm milliseconds") < figure(results, compiled, "cold milliseconds") / 2);
        double chain = figure(results, "GPU 0 engine: a chain of 8 ops", "GB/s");
        assertEquals(chain / 2, figure(results, "GPU 0 engine: a chain of 8 ops", "of a copy"));
    }

    private static double figure(List<CheckResult> results, String name, String figure) {
        CheckResult result = results.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return result.figures().get(figure);
    }

    /** A GPU that computes nothing. */
    @Test
    void differencesAreCountedAndNamed() {
        WrongResultException difference;
        try (Engine idle = new SourceCollector().engine()) {
            CaseCheck check = new CaseCheck(idle, 500, Duration.ofSeconds(60));
            difference = assertThrows(WrongResultException.class, () -> check.run(FoldingCases::each));
        }
        assertTrue(
                difference.getMessage().matches("(?s)\\d+ of \\d+ cases differ, the first: .*expected .* but was .*"),
                difference::getMessage);
    }

    @Test
    void whenTheTimeIsOverThatIsSaid() {
        Measurement measurement = new CaseCheck(new ReferenceEngine(), 1, Duration.ZERO).run(FoldingCases::each);
        assertTrue(
                measurement.detail().matches("0 of \\d+ cases as the reference, in \\d+ s, which was all the time"),
                measurement::detail);
    }
}
