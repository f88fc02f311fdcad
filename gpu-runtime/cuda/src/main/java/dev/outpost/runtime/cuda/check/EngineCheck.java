package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.engine.CudaEngineProvider;
import dev.outpost.runtime.cuda.library.CudaLibraries;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.comparison.AttentionCases;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.Comparison;
import dev.outpost.runtime.engine.comparison.DifferenceException;
import dev.outpost.runtime.engine.comparison.ElementwiseCases;
import dev.outpost.runtime.engine.comparison.FoldingCases;
import dev.outpost.runtime.engine.comparison.MovingCases;
import dev.outpost.runtime.engine.comparison.WindowCases;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Holds the engine on a GPU to the reference engine, over the op table, and measures it in passing. */
final class EngineCheck {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    /** Most elementwise cases have a kernel of their own, which is compiled first; all of them would take too long. */
    private static final int ELEMENTWISE_STEP = 7;

    private final CudaDevice device;
    private final CudaLibraries libraries;
    private final Consumer<CheckResult> results;

    EngineCheck(CudaDevice device, CudaLibraries libraries, Consumer<CheckResult> results) {
        this.device = device;
        this.libraries = libraries;
        this.results = results;
    }

    /** A result a step. A step that fails does not keep the others from being tried. */
    void run() {
        try (Engine engine = CudaEngineProvider.open(device, libraries, EngineSettings.DEFAULT)) {
            compare(engine, "elementwise ops", ELEMENTWISE_STEP, ElementwiseCases::each);
            compare(engine, "folds, scans, sorts and products", 1, FoldingCases::each);
            compare(engine, "moves, indices and random numbers", 1, MovingCases::each);
            compare(engine, "convolutions and pooling", 1, WindowCases::each);
            compare(engine, "attention", 1, AttentionCases::each);
            EngineSpeed speed = new EngineSpeed(engine);
            step("a chain of 8 ops", speed::chain);
            step("a product of bfloat16", speed::product);
            step("attention of bfloat16, 64 features", new AttentionSpeed(engine, 16, 4096, 64)::measure);
            step("attention of bfloat16, 128 features", new AttentionSpeed(engine, 16, 4096, 128)::measure);
            step("tiny kernels", speed::tinyKernels);
            step("tiny kernels as a graph", speed::replayedKernels);
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name("opens and closes"), failure.getMessage(), REMEDY));
        }
    }

    private void compare(Engine engine, String what, int step, Consumer<Consumer<Case>> cases) {
        step(what, () -> compared(engine, step, cases));
    }

    private static Measurement compared(Engine engine, int step, Consumer<Consumer<Case>> cases) {
        Comparison comparison = new Comparison(new ReferenceEngine(), engine);
        int[] seen = {0};
        int[] run = {0};
        int[] wrong = {0};
        String[] first = {""};
        long start = System.nanoTime();
        cases.accept(next -> {
            if (seen[0]++ % step == 0) {
                run[0]++;
                try {
                    comparison.check(next);
                } catch (DifferenceException difference) {
                    first[0] = wrong[0]++ == 0 ? difference.getMessage() : first[0];
                }
            }
        });
        if (wrong[0] > 0) {
            throw new WrongResultException(wrong[0] + " of " + run[0] + " cases differ, the first: " + first[0]);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return Measurement.of(
                Map.of("cases", (double) run[0], "seconds", seconds),
                "%d of %d cases as the reference, in %.0f s",
                run[0],
                seen[0],
                seconds);
    }

    private void step(String what, Supplier<Measurement> work) {
        try {
            Measurement measurement = work.get();
            results.accept(CheckResult.ok(name(what), measurement.detail(), measurement.figures()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name(what), failure.getMessage(), REMEDY));
        }
    }

    private String name(String what) {
        return "GPU " + device.ordinal() + " engine: " + what;
    }
}
