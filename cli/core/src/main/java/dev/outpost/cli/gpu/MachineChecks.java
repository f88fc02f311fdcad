package dev.outpost.cli.gpu;

import dev.outpost.runtime.cuda.check.CheckPart;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.cuda.check.CudaChecks.MoreChecks;
import dev.outpost.runtime.cuda.check.GpuUnderCheck;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The checks of a GPU's engine through sessions, and its measurements, beside PyTorch where that is. */
public final class MachineChecks implements MoreChecks {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    private final CheckLimits limits;
    private final Set<CheckPart> parts;

    public MachineChecks(CheckLimits limits, Set<CheckPart> parts) {
        this.limits = limits;
        this.parts = Set.copyOf(parts);
    }

    /** A result a step. A step that fails does not keep the others from being tried. */
    @Override
    public void run(GpuUnderCheck gpu, Consumer<CheckResult> results) {
        part(CheckPart.PARITY, gpu, results, "parity with PyTorch", () -> new ParityOnGpu(gpu, limits).run());
        part(CheckPart.RANDOM, gpu, results, "random programs", () -> new RandomProgramsOnGpu(gpu, limits).run());
        part(CheckPart.MEMORY, gpu, results, "memory", () -> new MemoryOnGpu(gpu).run());
        part(
                CheckPart.COLLECTIVES,
                gpu,
                results,
                "exchanges without the host",
                () -> new CollectivesOnGpu(gpu, limits.sizes()).run());
        part(CheckPart.GROUP, gpu, results, "group on one GPU", () -> new GroupOnOneGpu(gpu, limits.sizes()).run());
        Speeds speeds = new Speeds(gpu, limits, (what, work) -> step(gpu, results, what, work));
        if (parts.contains(CheckPart.PYTORCH)) {
            speeds.measurePeer();
        }
        if (parts.contains(CheckPart.SPEEDS)) {
            speeds.run();
        }
    }

    private void part(
            CheckPart part, GpuUnderCheck gpu, Consumer<CheckResult> results, String what, Supplier<Finding> work) {
        if (parts.contains(part)) {
            step(gpu, results, what, work);
        }
    }

    private static void step(GpuUnderCheck gpu, Consumer<CheckResult> results, String what, Supplier<Finding> work) {
        String name = gpu.name() + " machine: " + what;
        try {
            Finding finding = work.get();
            results.accept(
                    finding.isSkipped()
                            ? CheckResult.skipped(name, finding.detail())
                            : CheckResult.ok(name, finding.detail(), finding.figures()));
        } catch (WrongAnswerException wrong) {
            results.accept(CheckResult.failed(name, wrong.getMessage(), REMEDY, wrong.cases()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name, String.valueOf(failure.getMessage()), REMEDY));
        }
    }
}
