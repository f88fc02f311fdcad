package dev.outpost.gpucheck.machine;

import dev.outpost.MachineOptions;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.provider.Providers;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The checks of a GPU's engine through sessions, and its measurements, compared with PyTorch if it is installed. */
public final class MachineChecks {
    private static final String REMEDY =
            "Keep the whole output: it names the case, and what was computed in its place.";

    private final GpuUnderCheck gpu;
    private final CheckLimits limits;
    private final Consumer<CheckResult> results;

    public MachineChecks(GpuUnderCheck gpu, CheckLimits limits, Consumer<CheckResult> results) {
        this.gpu = gpu;
        this.limits = limits;
        this.results = results;
    }

    /**
     * Returns a result for each step. After a failed step the others are still tried.
     *
     * @param from the number of cases of the part that earlier runs tried
     */
    public PartProgress run(CheckPart part, long from, TimeLimit time) {
        return switch (part) {
            case PARITY -> {
                ParityOnGpu parity = new ParityOnGpu(gpu, limits, from, time);
                step("parity with PyTorch", parity::run);
                yield parity.progress();
            }
            case OPS, MODELS, SERVING ->
                new Speeds(gpu, limits, this::step).run(MeasuredWork.of(part, limits.sizes()), from, time);
            default -> {
                runWhole(part, time);
                yield PartProgress.WHOLE;
            }
        };
    }

    private void runWhole(CheckPart part, TimeLimit time) {
        switch (part) {
            case FAILURE -> step("a failure of the device", new FailureOnGpu(gpu)::run);
            case SESSIONS -> step("sessions side by side", new SessionsOnGpu(gpu, limits)::run);
            case UPLOADS -> step("uploads beside graphs", new UploadsOnGpu(gpu)::run);
            case PROGRAMS -> step("random programs", new RandomProgramsOnGpu(gpu, limits, time)::run);
            case MEMORY -> step("memory", new MemoryOnGpu(gpu)::run);
            case EXCHANGES -> {
                step("exchanges without the host", new CollectivesOnGpu(gpu, limits.sizes())::run);
                step("group on one GPU", new GroupOnOneGpu(gpu, limits.sizes())::run);
            }
            case GPUS -> group().forEach(results);
            default -> throw new IllegalArgumentException("gpu-check: " + part + " needs no session");
        }
    }

    /** The machines of the group are processes, each with its own GPU. */
    private List<CheckResult> group() {
        if (limits.gpus().isEmpty() && gpu.gpus() < 2) {
            return List.of(CheckResult.skipped("group of GPUs", "this host has one GPU"));
        }
        if (!hasRuntime()) {
            return List.of(
                    CheckResult.skipped(
                            "group of GPUs",
                            "the runtime that each GPU needs is not here: ./outpost gpu-check --part gpus of a source tree builds it"));
        }
        MachineOptions options = new MachineOptions().option("engine", "cuda");
        int size = limits.gpus().orElse(gpu.gpus());
        return new GroupOnGpus(Providers.discover().find("process"), size, options).run(gpu.gpus());
    }

    /** A pack does not contain it, and a source tree may not have built it. */
    private static boolean hasRuntime() {
        String jar = System.getenv("OUTPOST_PROCESS_JAR");
        return jar != null && Files.exists(Path.of(jar));
    }

    private void step(String what, Supplier<GpuFinding> work) {
        String name = gpu.name() + " machine: " + what;
        try {
            GpuFinding finding = work.get();
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
