package dev.outpost.gpucheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.gpu.GpuUnderCheck;
import dev.outpost.gpucheck.machine.CheckLimits;
import dev.outpost.gpucheck.machine.WorkSizes;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartRecord;
import dev.outpost.gpucheck.part.PartRecord.Outcome;
import dev.outpost.gpucheck.part.PlannedPart;
import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Parts run one after the other, each for its time; the engine is compared with itself. */
class PartChecksTest {
    private static final GpuUnderCheck GPU = new GpuUnderCheck(
            "GPU 0",
            "no GPU",
            1,
            Double.NaN,
            _ -> new ReferenceEngine(),
            () -> {
                throw new IllegalStateException("its memory is not looked at");
            },
            () -> {
                throw new IllegalStateException("it does not fail");
            });
    private static final CheckLimits LIMITS =
            new CheckLimits(Optional.empty(), 1, 1, WorkSizes.SMALL, Duration.ofMillis(1), OptionalInt.empty());

    private final AtomicLong clock = new AtomicLong();
    private final List<CheckResult> results = new ArrayList<>();
    private final List<PartRecord> records = new ArrayList<>();

    /** Each read of the clock advances it by a second. */
    private long tick() {
        return clock.getAndAdd(Duration.ofSeconds(1).toNanos());
    }

    private void run(PlannedPart... parts) {
        new PartChecks(List.of(parts), LIMITS, this::tick, records::add).run(GPU, results::add);
    }

    @Test
    void aPartStopsWhenItsThreeMinutesAreOverAndSaysWhatIsLeft() {
        run(new PlannedPart(CheckPart.FOLDS, 0, CheckPart.MOST));
        PartRecord record = records.getFirst();
        assertEquals(Outcome.PASSED, record.outcome());
        assertTrue(record.progress().done() > 100 && record.progress().done() < 180, record::toString);
        assertTrue(
                record.summary()
                        .endsWith("the time was over, "
                                + (record.progress().total() - record.progress().done()) + " of "
                                + record.progress().total() + " are left: go on with --from "
                                + record.progress().done()),
                record::summary);
        run(new PlannedPart(CheckPart.FOLDS, record.progress().done(), CheckPart.MOST));
        assertTrue(records.getLast().progress().done() > record.progress().done() + 100, records::toString);
    }

    /** The time of each part begins with its start. */
    @Test
    void onePartAfterTheOtherIsRecorded() {
        Duration few = Duration.ofSeconds(5);
        run(
                new PlannedPart(CheckPart.PARITY, 0, few),
                new PlannedPart(CheckPart.MOVES, 0, few),
                new PlannedPart(CheckPart.FOLDS, 0, few));
        assertEquals(
                List.of(CheckPart.PARITY, CheckPart.MOVES, CheckPart.FOLDS),
                records.stream().map(PartRecord::part).toList());
        assertEquals(
                List.of(Outcome.SKIPPED, Outcome.PASSED, Outcome.PASSED),
                records.stream().map(PartRecord::outcome).toList());
        assertEquals(4, records.get(1).progress().done());
        assertEquals(4, records.get(2).progress().done());
        assertEquals("no GPU", records.getFirst().model());
        assertEquals(3, results.size());
    }
}
