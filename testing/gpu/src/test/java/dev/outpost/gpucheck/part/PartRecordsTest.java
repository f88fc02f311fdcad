package dev.outpost.gpucheck.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.gpucheck.PartList;
import dev.outpost.gpucheck.part.PartRecord.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which part runs next, according to the file of earlier runs. */
@Tag("quick")
class PartRecordsTest {
    private static final PartProgress WHOLE = PartProgress.WHOLE;

    @TempDir
    private Path folder;

    private void ran(CheckPart part, Outcome outcome, PartProgress progress) throws IOException {
        PartRecords.in(folder).add(record(part, outcome, progress));
    }

    private static PartRecord record(CheckPart part, Outcome outcome, PartProgress progress) {
        return new PartRecord(part, outcome, progress, LocalDate.of(2026, 11, 28), "NVIDIA H100", "as it must be");
    }

    private Optional<CheckPart> next() throws IOException {
        return PartRecords.in(folder).next();
    }

    private static List<CheckPart> open() {
        return Arrays.stream(CheckPart.values()).filter(CheckPart::isOpen).toList();
    }

    @Test
    void openPartsRunInTheirOrderAndSeveralGpusLast() throws IOException {
        List<CheckPart> order = new ArrayList<>();
        for (Optional<CheckPart> next = next(); next.isPresent(); next = next()) {
            order.add(next.get());
            ran(next.get(), Outcome.PASSED, WHOLE);
        }
        assertEquals(open(), order);
        assertEquals(CheckPart.FAILURE, order.getFirst());
        assertEquals(CheckPart.GPUS, order.getLast());
    }

    @Test
    void aPartWhoseTimeWasOverGoesOnWhereItStopped() throws IOException {
        ran(CheckPart.FAILURE, Outcome.PASSED, WHOLE);
        ran(CheckPart.SESSIONS, Outcome.FAILED, WHOLE);
        ran(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(36, 52));
        assertEquals(Optional.of(CheckPart.ATTENTION), next());
        assertEquals(36, PartRecords.in(folder).done(CheckPart.ATTENTION));
        ran(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(52, 52));
        assertEquals(Optional.of(CheckPart.EXCHANGES), next());
        assertEquals(0, PartRecords.in(folder).done(CheckPart.ATTENTION));
    }

    /** Later cases do not make earlier failures right. */
    @Test
    void aFailureStaysUntilThePartBeginsAnew() throws IOException {
        ran(CheckPart.ATTENTION, Outcome.FAILED, new PartProgress(10, 52));
        ran(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(52, 52));
        assertEquals(
                Outcome.FAILED,
                PartRecords.in(folder).of(CheckPart.ATTENTION).orElseThrow().outcome());
        ran(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(52, 52));
        assertEquals(
                Outcome.PASSED,
                PartRecords.in(folder).of(CheckPart.ATTENTION).orElseThrow().outcome());
    }

    @Test
    void whatWasSkippedComesAgainBehindAllOthers() throws IOException {
        ran(CheckPart.EXCHANGES, Outcome.SKIPPED, WHOLE);
        for (CheckPart part : open()) {
            if (part != CheckPart.EXCHANGES) {
                assertEquals(Optional.of(part), next());
                ran(part, Outcome.PASSED, WHOLE);
            }
        }
        assertEquals(Optional.of(CheckPart.EXCHANGES), next());
    }

    @Test
    void theFileHasALineAPart() throws IOException {
        ran(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(36, 52));
        ran(CheckPart.FAILURE, Outcome.PASSED, WHOLE);
        assertEquals(
                List.of(
                        "failure\tpassed\t1\t1\t2026-11-28\tNVIDIA H100\tas it must be",
                        "attention\tpassed\t36\t52\t2026-11-28\tNVIDIA H100\tas it must be"),
                Files.readAllLines(folder.resolve("gpu-check.results")));
        Files.writeString(folder.resolve("gpu-check.results"), "something else\n");
        assertTrue(assertThrows(IllegalArgumentException.class, this::next)
                .getMessage()
                .endsWith("something else"));
    }

    @Test
    void theRowForThePageSaysWhatIsKnown() {
        assertEquals(
                Optional.of("| `attention` | " + CheckPart.ATTENTION.question()
                        + " | open: as it must be (NVIDIA H100, 2026-11-28) |"),
                PartList.row(record(CheckPart.ATTENTION, Outcome.PASSED, new PartProgress(36, 52))));
        assertEquals(
                Optional.of("| `memory` | " + CheckPart.MEMORY.question()
                        + " | known: as it must be (NVIDIA H100, 2026-11-28) |"),
                PartList.row(record(CheckPart.MEMORY, Outcome.PASSED, WHOLE)));
        assertEquals(Optional.empty(), PartList.row(record(CheckPart.MEMORY, Outcome.SKIPPED, WHOLE)));
    }
}
