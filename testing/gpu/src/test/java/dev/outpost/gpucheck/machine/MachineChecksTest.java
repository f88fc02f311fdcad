package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Tests the checks of a GPU as a machine, with engines that need no GPU. */
class MachineChecksTest {
    private static final Optional<Path> PARITY =
            Optional.of(Path.of("../../src/test/resources/parity").toAbsolutePath());

    private static List<CheckResult> check(
            Set<CheckPart> parts, Function<EngineSettings, Engine> engines, LongSupplier free) {
        return SmallChecks.run(parts, PARITY, SmallChecks.gpu(engines, free));
    }

    private static CheckResult named(List<CheckResult> results, String what) {
        return results.stream()
                .filter(result -> result.name().equals("GPU 0 machine: " + what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEngineThatIsRightPasses() {
        List<CheckResult> results = check(SmallChecks.PARTS, _ -> new CpuEngine(), () -> 1 << 30);
        assertEquals(
                List.of(),
                results.stream()
                        .filter(result -> result.outcome() == CheckOutcome.FAILED)
                        .toList());
        assertEquals(29, results.size(), results::toString);
        CheckResult parity = named(results, "parity with PyTorch");
        assertTrue(parity.figures().get("cases") > 0, parity::detail);
        assertTrue(named(results, "random programs").figures().get("programs") > 0);
        assertEquals(1.0 * (1 << 30), named(results, "memory").figures().get("free bytes"));
        assertTrue(named(results, "transformer").figures().get("milliseconds") > 0);
    }

    /** An engine that computes only fused instructions, and none that stand alone. */
    private static Engine lazyEngine() {
        Engine right = new CpuEngine();
        Kernel nothing = (_, _, _) -> {};
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (_, method, arguments) -> {
                    boolean isAlone = method.getName().equals("compile") && arguments[0] instanceof Instruction;
                    try {
                        return isAlone ? nothing : method.invoke(right, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Test
    void onlyTheWrongResultFails() {
        long[] free = {1 << 30};
        Set<CheckPart> parts = EnumSet.of(CheckPart.PARITY, CheckPart.PROGRAMS, CheckPart.MEMORY, CheckPart.OPS);
        List<CheckResult> results = check(parts, _ -> lazyEngine(), () -> free[0] -= 100);
        CheckResult random = named(results, "random programs");
        assertEquals(CheckOutcome.FAILED, random.outcome());
        assertTrue(
                random.detail()
                        .matches(
                                "\\d+ of \\d+ programs differ, the first: the program with seed \\d+: value \\d+ differs in run 1 as a whole"),
                random::detail);
        CheckResult parity = named(results, "parity with PyTorch");
        assertEquals(CheckOutcome.FAILED, parity.outcome());
        assertTrue(parity.detail().matches("(?s)\\d+ of \\d+ cases differ, the first: .*"), parity::detail);
        assertFalse(random.cases().isEmpty());
        assertFalse(parity.cases().isEmpty());
        CheckResult memory = named(results, "memory");
        assertEquals(CheckOutcome.FAILED, memory.outcome());
        assertEquals(
                "100 bytes of the GPU did not come back from 3 engines that trained and were closed", memory.detail());
        assertEquals(CheckOutcome.OK, named(results, "product-float32").outcome());
    }

    /** An engine whose device can be broken. */
    private static Engine breakable(AtomicReference<String> failure) {
        Engine right = new CpuEngine();
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (_, method, arguments) -> {
                    if (method.getName().equals("brokenBy")) {
                        return Optional.ofNullable(failure.get());
                    }
                    try {
                        return method.invoke(right, arguments);
                    } catch (InvocationTargetException exception) {
                        throw exception.getCause();
                    }
                });
    }

    private static CheckResult checkFailure(AtomicReference<String> failure, Runnable fault) {
        return SmallChecks.run(
                        EnumSet.of(CheckPart.FAILURE),
                        Optional.empty(),
                        SmallChecks.gpu(_ -> breakable(failure), () -> 1, fault))
                .getFirst();
    }

    @Test
    void aFailureOfTheDeviceEndsSessionsByItsReason() {
        AtomicReference<String> failure = new AtomicReference<>();
        CheckResult result = checkFailure(failure, () -> failure.set("cuStreamSynchronize: 700, an illegal address"));
        assertEquals(CheckOutcome.OK, result.outcome(), result::toString);
        assertTrue(
                result.detail()
                        .matches(
                                "the session ended .* the machine's device failed: cuStreamSynchronize: 700, an illegal"
                                        + " address; a new one is refused: .*(device failed|mock-\\d+ is gone).*"),
                result::detail);
    }

    @Test
    void aFailureThatIsNotNoticedFails() {
        CheckResult result = checkFailure(new AtomicReference<>(), () -> {});
        assertEquals(CheckOutcome.FAILED, result.outcome());
        assertEquals("a session computed 1.0 behind a failure of the device", result.detail());
    }

    @Test
    void withoutAPackParityIsSkippedAndSaidSo() {
        List<CheckResult> results = SmallChecks.run(
                EnumSet.of(CheckPart.PARITY), Optional.empty(), SmallChecks.gpu(_ -> new CpuEngine(), () -> 1));
        CheckResult parity = named(results, "parity with PyTorch");
        assertEquals(CheckOutcome.SKIPPED, parity.outcome());
        assertEquals("the parity pack is not here", parity.detail());
    }
}
