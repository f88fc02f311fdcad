package dev.outpost.gpucheck.part;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/**
 * The findings of all runs of a part together.
 *
 * @param summary a sentence of its last run
 * @param model the model of the GPU of the last run
 */
public record PartRecord(
        CheckPart part, Outcome outcome, PartProgress progress, LocalDate date, String model, String summary) {
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 7;

    /** The outcome of a part. */
    public enum Outcome {
        /** All tried cases are right. */
        PASSED,
        /** Something is wrong. */
        FAILED,
        /** It was not tried, because something that it needs is missing. */
        SKIPPED
    }

    /** Returns true if it need not run again. */
    public boolean isFinished() {
        return outcome != Outcome.SKIPPED && progress.isComplete();
    }

    /** Adds the findings of an earlier run of the same cases: a failure stays a failure. */
    PartRecord after(PartRecord earlier) {
        boolean hasFailed = earlier.outcome == Outcome.FAILED && !earlier.isFinished();
        return hasFailed ? new PartRecord(part, Outcome.FAILED, progress, date, model, summary) : this;
    }

    /** Formats the record for people. */
    public String describe() {
        return "part " + part + " " + outcome.name().toLowerCase(Locale.ROOT) + ": " + summary;
    }

    String line() {
        return String.join(
                SEPARATOR,
                part.toString(),
                outcome.name().toLowerCase(Locale.ROOT),
                Long.toString(progress.done()),
                Long.toString(progress.total()),
                date.toString(),
                model,
                summary.strip().replaceAll("\\s+", " "));
    }

    /** @throws IllegalArgumentException if the text is not a line of a record */
    static PartRecord read(String line) {
        List<String> fields = List.of(line.split(SEPARATOR, FIELDS));
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("gpu-check: no record of a part: " + line);
        }
        return new PartRecord(
                CheckPart.valueOf(fields.get(0).toUpperCase(Locale.ROOT)),
                Outcome.valueOf(fields.get(1).toUpperCase(Locale.ROOT)),
                new PartProgress(Long.parseLong(fields.get(2)), Long.parseLong(fields.get(3))),
                LocalDate.parse(fields.get(4)),
                fields.get(5),
                fields.get(6));
    }
}
