package dev.outpost.gpucheck.machine;

import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.gpu.GpuUnderCheck.FreeMemory;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Small checks of a GPU as a machine, on engines that need no GPU; also with the Java and the jars of a pack. */
public final class SmallChecks {
    /** The parts that use a machine. */
    static final Set<CheckPart> PARTS = EnumSet.of(
            CheckPart.SESSIONS,
            CheckPart.EXCHANGES,
            CheckPart.UPLOADS,
            CheckPart.PARITY,
            CheckPart.PROGRAMS,
            CheckPart.MEMORY,
            CheckPart.OPS,
            CheckPart.MODELS,
            CheckPart.SERVING,
            CheckPart.GPUS);

    private static final Duration SHORT = Duration.ofSeconds(2);

    private SmallChecks() {}

    /** @param arguments the folder of the parity pack */
    public static void main(String[] arguments) {
        Optional<Path> parity = Optional.of(Path.of(arguments[0]));
        run(PARTS, parity, gpu(_ -> new ReferenceEngine(), () -> 1))
                .forEach(result -> System.out.println(result.name() + " " + result.outcome() + " " + result.detail()));
    }

    /** All measured workloads are measured, however slow this host is. */
    static List<CheckResult> run(Set<CheckPart> parts, Optional<Path> parity, GpuUnderCheck gpu) {
        List<CheckResult> results = new ArrayList<>();
        MachineChecks checks = new MachineChecks(gpu, limits(parity), results::add);
        for (CheckPart part : parts) {
            boolean isMeasured = part == CheckPart.OPS || part == CheckPart.MODELS || part == CheckPart.SERVING;
            PartProgress progress = checks.run(part, 0, TimeLimit.of(isMeasured ? Duration.ofSeconds(40) : SHORT));
            if (progress.total() == 0) {
                throw new IllegalStateException(part + " has no cases");
            }
        }
        return results;
    }

    static CheckLimits limits(Optional<Path> parity) {
        return new CheckLimits(parity, 2, 1, WorkSizes.SMALL, Duration.ofMillis(1), OptionalInt.empty());
    }

    static GpuUnderCheck gpu(Function<EngineSettings, Engine> engines, LongSupplier free) {
        return gpu(engines, free, () -> {
            throw new IllegalStateException("it does not fail");
        });
    }

    static GpuUnderCheck gpu(Function<EngineSettings, Engine> engines, LongSupplier free, Runnable fault) {
        return new GpuUnderCheck("GPU 0", "no GPU", 1, Double.NaN, engines, () -> memory(free), fault);
    }

    private static FreeMemory memory(LongSupplier free) {
        return new FreeMemory() {
            @Override
            public long bytes() {
                return free.getAsLong();
            }

            @Override
            public void close() {
                // There is nothing to release.
            }
        };
    }
}
