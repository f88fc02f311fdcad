package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.FactorizationCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Holds the engine on a GPU to the reference engine, over the op table, and measures it in passing. */
final class EngineCheck {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    private final GpuUnderCheck gpu;
    private final CheckSizes sizes;
    private final double copyRate;
    private final Consumer<CheckResult> results;

    /** @param copyRate bytes in a nanosecond that a copy of the device reads and writes; NaN where nobody knows */
    EngineCheck(GpuUnderCheck gpu, CheckSizes sizes, double copyRate, Consumer<CheckResult> results) {
        this.gpu = gpu;
        this.sizes = sizes;
        this.copyRate = copyRate;
        this.results = results;
    }

    /** A result a step. A step that fails does not keep the others from being tried. */
    void run() {
        step("kernels compiled, cold and warm", new CompileSpeed(gpu.engines(), sizes.kernels())::measure);
        try (Engine engine = gpu.engines().apply(EngineSettings.DEFAULT)) {
            compare(engine, "elementwise ops", sizes.elementwiseStep(), ElementwiseCases::each);
            compare(engine, "folds, scans, sorts and products", sizes.step(), FoldingCases::each);
            compare(engine, "moves, indices and random numbers", sizes.step(), MovingCases::each);
            compare(engine, "convolutions and pooling", sizes.step(), WindowCases::each);
            compare(engine, "attention", sizes.step(), AttentionCases::each);
            compare(engine, "factorizations", sizes.step(), FactorizationCases::each);
            EngineSpeed speed = new EngineSpeed(engine, sizes);
            step("a chain of 8 ops", () -> speed.chain(copyRate));
            step("a product of bfloat16", speed::product);
            for (int features : new int[] {64, 128}) {
                step(
                        "attention of bfloat16, " + features + " features",
                        new AttentionSpeed(engine, sizes.heads(), sizes.sequence(), features)::measure);
            }
            step("tiny kernels", speed::tinyKernels);
            step("tiny kernels as a graph", speed::replayedKernels);
            step("fences and the device's clock", () -> fences(speed));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name("opens and closes"), failure.getMessage(), REMEDY));
        }
    }

    private static Measurement fences(EngineSpeed speed) {
        try {
            return speed.fences();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    private void compare(Engine engine, String what, int step, Consumer<Consumer<Case>> cases) {
        step(what, () -> new CaseCheck(engine, step, sizes.familyTime()).run(cases));
    }

    private void step(String what, Supplier<Measurement> work) {
        try {
            Measurement measurement = work.get();
            results.accept(CheckResult.ok(name(what), measurement.detail(), measurement.figures()));
        } catch (WrongResultException wrong) {
            results.accept(CheckResult.failed(name(what), wrong.getMessage(), REMEDY, wrong.cases()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name(what), failure.getMessage(), REMEDY));
        }
    }

    private String name(String what) {
        return gpu.name() + " engine: " + what;
    }
}
