package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the checks of exchanges between GPUs with an emulated GPU and an emulated library. */
class ExchangesOnGpuTest {
    private final EmulatedCollectives.Wire wire = new EmulatedCollectives.Wire();

    private static List<CheckResult> check(CheckPart part, Function<EngineSettings, Engine> engines) {
        return SmallChecks.run(EnumSet.of(part), Optional.empty(), SmallChecks.gpu(engines, () -> 1));
    }

    private Engine emulated(EngineSettings settings) {
        return EmulatedEngines.open(wire, "library 1", "GPU-1");
    }

    @Test
    void everyExchangeOfTheLibraryIsHeldToWhatItMustBe() {
        CheckResult result = check(CheckPart.EXCHANGES, this::emulated).getFirst();
        assertEquals(CheckOutcome.OK, result.outcome(), result::toString);
        assertEquals("GPU 0 machine: exchanges without the host", result.name());
        assertTrue(result.detail().contains("(all_gather, all_reduce, all_to_all, reduce_scatter)"), result::detail);
        assertTrue(result.detail().contains("by themselves and within graphs"), result::detail);
        assertTrue(result.figures().get("seconds of a sum") > 0, result::toString);
        assertTrue(wire.calls().contains("send 6432 on 0 to 0"), wire::toString);
        assertTrue(wire.calls().contains("abort on 0"), wire::toString);
    }

    @Test
    void anExchangeThatBringsSomethingElseFails() {
        wire.invalidateResults();
        CheckResult result = check(CheckPart.EXCHANGES, this::emulated).getFirst();
        assertEquals(CheckOutcome.FAILED, result.outcome(), result::toString);
        assertTrue(
                result.detail().matches("4 of 4 exchanges are wrong, the first: all_reduce of float32 .*"),
                result::detail);
    }

    @Test
    void withoutALibraryThatIsSkippedAndSaidSo() {
        CheckResult result = check(CheckPart.EXCHANGES, _ -> new CpuEngine()).getFirst();
        assertEquals(CheckOutcome.SKIPPED, result.outcome());
        assertTrue(result.detail().startsWith("libnccl.so.2 was not found"), result::detail);
    }

    @Test
    void twoMachinesOnOneGpuTrainAsOneDoes() {
        CheckResult result = check(CheckPart.EXCHANGES, this::emulated).getLast();
        assertEquals(CheckOutcome.OK, result.outcome(), result::toString);
        assertTrue(
                result.detail().endsWith("by lanes between hosts: members 0 and 1 have one GPU, GPU-1"),
                result::detail);
    }
}
