package dev.outpost.gpucheck.engine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.FactorizationCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.PagedAttentionCases;
import dev.outpost.runtime.engine.comparison.QuantizedCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Compares the engine on a GPU with the reference engine over the op table, and measures it. After a failed step the others are still
 * tried.
 */
public final class EngineCheck {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    private final GpuUnderCheck gpu;
    private final Consumer<CheckResult> results;

    public EngineCheck(GpuUnderCheck gpu, Consumer<CheckResult> results) {
        this.gpu = gpu;
        this.results = results;
    }

    /**
     * Compares the cases of a family.
     *
     * @param from the number of cases that earlier runs compared
     */
    public PartProgress compare(CheckPart family, long from, TimeLimit time) {
        PartProgress[] progress = {new PartProgress(from, from + 1)};
        onEngine(engine -> {
            CaseCheck check = new CaseCheck(engine, from, time);
            step(title(family), () -> check.run(each -> eachCase(family, each)));
            progress[0] = check.progress();
        });
        return progress[0];
    }

    private static void eachCase(CheckPart family, Consumer<Case> each) {
        switch (family) {
            case ELEMENTWISE -> ElementwiseCases.each(each);
            case FOLDS -> FoldingCases.each(each);
            case MOVES -> MovingCases.each(each);
            case WINDOWS -> WindowCases.each(each);
            case QUANTIZED -> QuantizedCases.each(each);
            case FACTORIZATIONS -> FactorizationCases.each(each);
            case ATTENTION -> {
                AttentionCases.each(each);
                PagedAttentionCases.each(each);
            }
            default -> throw new IllegalArgumentException("gpu-check: " + family + " is no family of ops");
        }
    }

    private static String title(CheckPart family) {
        return switch (family) {
            case ELEMENTWISE -> "elementwise ops";
            case FOLDS -> "folds, scans, sorts and products";
            case MOVES -> "moves, indices and random numbers";
            case WINDOWS -> "convolutions and pooling";
            case QUANTIZED -> "products with quantized weights";
            case FACTORIZATIONS -> "factorizations";
            default -> family.toString();
        };
    }

    /** Measures kernels, graphs, fences and the compiler. */
    public void measure(CheckSizes sizes) {
        step("kernels compiled, cold and warm", new CompileSpeed(gpu.engines(), sizes.kernels())::measure);
        onEngine(engine -> measure(engine, sizes));
    }

    private void measure(Engine engine, CheckSizes sizes) {
        EngineSpeed speed = new EngineSpeed(engine, sizes);
        step("a chain of 8 ops", () -> speed.chain(gpu.copyRate()));
        step("a product of bfloat16", speed::product);
        for (int features : new int[] {64, 128}) {
            step(
                    "attention of bfloat16, " + features + " features",
                    new AttentionSpeed(engine, sizes.heads(), sizes.sequence(), features)::measure);
        }
        step("tiny kernels", speed::tinyKernels);
        step("tiny kernels as a graph", speed::replayedKernels);
        step("fences and the device's clock", () -> fences(speed));
    }

    private void onEngine(Consumer<Engine> work) {
        try (Engine engine = gpu.engines().apply(EngineSettings.DEFAULT)) {
            work.accept(engine);
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name("opens and closes"), failure.getMessage(), REMEDY));
        }
    }

    private static GpuFinding fences(EngineSpeed speed) {
        try {
            return speed.fences();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private void step(String what, Supplier<GpuFinding> work) {
        try {
            GpuFinding measurement = work.get();
            results.accept(CheckResult.ok(name(what), measurement.detail(), measurement.figures()));
        } catch (WrongAnswerException wrong) {
            results.accept(CheckResult.failed(name(what), wrong.getMessage(), REMEDY, wrong.cases()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name(what), failure.getMessage(), REMEDY));
        }
    }

    private String name(String what) {
        return gpu.name() + " engine: " + what;
    }
}
