package dev.outpost.cli.gpu;

import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.check.CudaChecks.MoreChecks;
import dev.outpost.runtime.cuda.check.GpuUnderCheck;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The checks of a GPU's engine through sessions, and its measurements, beside PyTorch where that is. */
public final class MachineChecks implements MoreChecks {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    private final CheckLimits limits;

    public MachineChecks(CheckLimits limits) {
        this.limits = limits;
    }

    /** A result a step. A step that fails does not keep the others from being tried. */
    @Override
    public void run(GpuUnderCheck gpu, Consumer<CheckResult> results) {
        step(gpu, results, "parity with PyTorch", () -> new ParityOnGpu(gpu, limits).run());
        step(gpu, results, "random programs", () -> new RandomProgramsOnGpu(gpu, limits).run());
        step(gpu, results, "memory", () -> new MemoryOnGpu(gpu).run());
        new Speeds(gpu, limits, (what, work) -> step(gpu, results, what, work)).run();
    }

    private static void step(GpuUnderCheck gpu, Consumer<CheckResult> results, String what, Supplier<Finding> work) {
        String name = gpu.name() + " machine: " + what;
        try {
            Finding finding = work.get();
            results.accept(
                    finding.isSkipped()
                            ? CheckResult.skipped(name, finding.detail())
                            : CheckResult.ok(name, finding.detail(), finding.figures()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name, String.valueOf(failure.getMessage()), REMEDY));
        }
    }
}
