package dev.outpost.gpucheck;

import dev.outpost.gpucheck.engine.CheckSizes;
import dev.outpost.gpucheck.engine.EngineCheck;
import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.machine.CheckLimits;
import dev.outpost.gpucheck.machine.MachineChecks;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartProgress;
import dev.outpost.gpucheck.part.PartRecord;
import dev.outpost.gpucheck.part.PlannedPart;
import dev.outpost.gpucheck.part.TimeLimit;
import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Runs parts of the check on a GPU, one after the other, each for no longer than its time. */
public final class PartChecks {
    private final List<PlannedPart> parts;
    private final CheckLimits limits;
    private final LongSupplier clock;
    private final Consumer<PartRecord> records;

    /**
     * @param clock a clock in nanoseconds, for the time limits of the parts
     * @param records receives the record of each part as soon as it has ended
     */
    public PartChecks(List<PlannedPart> parts, CheckLimits limits, LongSupplier clock, Consumer<PartRecord> records) {
        this.parts = List.copyOf(parts);
        this.limits = limits;
        this.clock = clock;
        this.records = records;
    }

    /** Passes on each part's results as soon as they exist. */
    public void run(GpuUnderCheck gpu, Consumer<CheckResult> results) {
        for (PlannedPart planned : parts) {
            List<CheckResult> found = new ArrayList<>();
            Consumer<CheckResult> each = result -> {
                found.add(result);
                results.accept(result);
            };
            PartProgress progress = run(planned, gpu, each);
            records.accept(new PartRecord(
                    planned.part(), outcome(found), progress, LocalDate.now(), gpu.model(), summary(found)));
        }
    }

    private PartProgress run(PlannedPart planned, GpuUnderCheck gpu, Consumer<CheckResult> results) {
        TimeLimit time = new TimeLimit(planned.most(), clock);
        CheckPart part = planned.part();
        return switch (part) {
            case ELEMENTWISE, FOLDS, MOVES, WINDOWS, QUANTIZED, FACTORIZATIONS, ATTENTION ->
                new EngineCheck(gpu, results).compare(part, planned.from(), time);
            case KERNELS -> {
                new EngineCheck(gpu, results).measure(CheckSizes.GPU);
                yield PartProgress.WHOLE;
            }
            case FAILURE, SESSIONS, EXCHANGES, UPLOADS, PARITY, PROGRAMS, MEMORY, OPS, MODELS, SERVING, GPUS ->
                new MachineChecks(gpu, limits, results).run(part, planned.from(), time);
        };
    }

    private static PartRecord.Outcome outcome(List<CheckResult> found) {
        if (found.stream().anyMatch(result -> result.outcome() == CheckOutcome.FAILED)) {
            return PartRecord.Outcome.FAILED;
        }
        return found.stream().anyMatch(result -> result.outcome() == CheckOutcome.OK)
                ? PartRecord.Outcome.PASSED
                : PartRecord.Outcome.SKIPPED;
    }

    /** Returns the failures, or else all findings. */
    private static String summary(List<CheckResult> found) {
        List<CheckResult> wrong = found.stream()
                .filter(result -> result.outcome() == CheckOutcome.FAILED)
                .toList();
        return (wrong.isEmpty() ? found : wrong)
                .stream().map(CheckResult::detail).collect(Collectors.joining("; "));
    }
}
