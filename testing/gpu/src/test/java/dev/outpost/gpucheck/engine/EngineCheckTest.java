package dev.outpost.gpucheck.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.cuda.engine.SourceCollector;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks of a GPU's engine pass here on an emulated GPU; their speed has no meaning. */
class EngineCheckTest {
    private static final CheckSizes FEW = new CheckSizes(2, 1000, 33, 1, 65);
    private static final int CASES = 3;

    private final List<CheckResult> results = new ArrayList<>();
    private final GpuUnderCheck gpu = new GpuUnderCheck(
            "GPU 0",
            "an emulated GPU",
            1,
            2,
            EmulatedEngines::open,
            () -> {
                throw new IllegalStateException("its memory is not looked at");
            },
            () -> {
                throw new IllegalStateException("it does not fail");
            });

    /** The time for a number of cases: each read of the clock advances it by a second. */
    private static TimeLimit timeFor(int cases) {
        AtomicLong clock = new AtomicLong();
        return new TimeLimit(
                Duration.ofSeconds(cases + 1L),
                () -> clock.getAndAdd(Duration.ofSeconds(1).toNanos()));
    }

    private void requireRight() {
        assertEquals(
                List.of(),
                results.stream()
                        .filter(result -> result.outcome() != CheckOutcome.OK)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(
            value = CheckPart.class,
            names = {"ELEMENTWISE", "FOLDS", "MOVES", "WINDOWS", "QUANTIZED", "FACTORIZATIONS", "ATTENTION"})
    void familiesAreComparedOnAnEmulatedGpu(CheckPart family) {
        PartProgress progress = new EngineCheck(gpu, results::add).compare(family, 0, timeFor(CASES));
        requireRight();
        assertEquals(1, results.size(), results::toString);
        assertEquals(CASES, progress.done());
        assertFalse(progress.isComplete());
    }

    @Test
    void allMeasurementsRunOnAnEmulatedGpu() {
        new EngineCheck(gpu, results::add).measure(FEW);
        requireRight();
        assertEquals(8, results.size(), results::toString);
        assertEquals(
                "GPU 0 engine: kernels compiled, cold and warm",
                results.getFirst().name());
        String compiled = results.getFirst().name();
        assertTrue(figure(compiled, "warm milliseconds") > 0);
        assertTrue(figure(compiled, "cold milliseconds") > 0);
        double chain = figure("GPU 0 engine: a chain of 8 ops", "GB/s");
        assertEquals(chain / 2, figure("GPU 0 engine: a chain of 8 ops", "of a copy"));
    }

    private double figure(String name, String figure) {
        CheckResult result = results.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return result.figures().get(figure);
    }

    /** A GPU that computes nothing. */
    @Test
    void differencesAreCountedAndNamed() {
        WrongAnswerException difference;
        try (Engine idle = new SourceCollector().engine()) {
            CaseCheck check = new CaseCheck(idle, 0, timeFor(10));
            difference = assertThrows(WrongAnswerException.class, () -> check.run(FoldingCases::each));
        }
        assertTrue(
                difference
                        .getMessage()
                        .matches("(?s)\\d+ of 10 cases differ, the first: .*expected .* but was .*--from 10"),
                difference::getMessage);
    }

    @Test
    void whenTheTimeIsOverThatIsSaid() {
        CaseCheck check = new CaseCheck(new ReferenceEngine(), 0, timeFor(0));
        GpuFinding measurement = check.run(FoldingCases::each);
        assertTrue(
                measurement
                        .detail()
                        .matches(
                                "0 of \\d+ cases as the reference, in \\d+ s; the time was over, (\\d+) of \\1 are left: go on with --from 0"),
                measurement::detail);
    }

    /** If each run continues where the run before it stopped, each case is tried once. The first run already tries cases from all parts of the list. */
    @Test
    void runsGoOnWhereEarlierOnesStopped() {
        List<Case> all = new ArrayList<>();
        for (int length = 0; length < 16; length++) {
            all.add(Case.of(Unary.NEG, TestOperand.longs(new long[length])));
        }
        List<Long> tried = new ArrayList<>();
        Engine engine = compiling(
                instruction -> tried.add(instruction.resultType(0).shape().elements()));
        List<Long> done = new ArrayList<>();
        for (PartProgress progress = new PartProgress(0, 1); !progress.isComplete(); ) {
            long before = tried.size();
            TimeLimit time = new TimeLimit(
                    Duration.ofSeconds(5),
                    () -> Duration.ofSeconds(tried.size()).toNanos());
            CaseCheck check = new CaseCheck(engine, progress.done(), time);
            check.run(all::forEach);
            progress = check.progress();
            assertEquals(tried.size(), progress.done());
            assertEquals(16, progress.total());
            assertTrue(tried.size() > before, tried::toString);
            done.add(progress.done());
        }
        assertEquals(List.of(5L, 10L, 15L, 16L), done);
        assertEquals(List.of(0L, 7L, 14L, 1L, 8L, 15L, 2L, 9L, 3L, 10L, 4L, 11L, 5L, 12L, 6L, 13L), tried);
    }

    /** The reference engine, which reports what it compiles. */
    private static Engine compiling(Consumer<Instruction> told) {
        Engine right = new ReferenceEngine();
        return (Engine) Proxy.newProxyInstance(
                Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (_, method, arguments) -> {
                    if (method.getName().equals("compile")) {
                        told.accept((Instruction) arguments[0]);
                    }
                    try {
                        return method.invoke(right, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
