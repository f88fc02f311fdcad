package dev.outpost.gpucheck;

import dev.outpost.cli.support.TextTable;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartRecord;
import dev.outpost.gpucheck.part.PlannedPart;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lists of the parts, for people. */
public final class PartList {
    private PartList() {}

    /** Returns a line for each part: its name, its seconds, whether its question is open, and the question. */
    public static List<String> lines() {
        TextTable table = new TextTable("PART", "SECONDS", "ANSWER", "QUESTION");
        for (CheckPart part : CheckPart.values()) {
            table.row(part, part.estimate().toSeconds(), state(part), part.question());
        }
        return table.lines();
    }

    /** Returns the word for an outcome in docs/gpu.md. */
    static String state(CheckPart part) {
        return part.isOpen() ? "open" : "known";
    }

    /** Returns the row of docs/gpu.md for the findings of a part; empty if it was skipped. */
    public static Optional<String> row(PartRecord record) {
        String state = switch (record.outcome()) {
            case PASSED -> record.isFinished() ? "known: " : "open: ";
            case FAILED -> "known, wrong: ";
            case SKIPPED -> "";
        };
        return state.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "| `%s` | %s | %s%s (%s, %s) |",
                        record.part(),
                        record.part().question(),
                        state,
                        record.summary(),
                        record.model(),
                        record.date()));
    }

    /**
     * Returns how the parts of a run have ended, and the rows for docs/gpu.md. A part that has not run has no record.
     *
     * @param found the records, in the order of the parts
     * @param results the results of all checks
     */
    public static List<String> ends(List<PlannedPart> planned, List<PartRecord> found, List<CheckResult> results) {
        if (found.isEmpty()) {
            String reason = missing(results);
            return planned.stream()
                    .map(part -> "part " + part.part() + " has not run, " + reason)
                    .toList();
        }
        List<String> lines =
                new ArrayList<>(found.stream().map(PartRecord::describe).toList());
        List<String> rows =
                found.stream().map(PartList::row).flatMap(Optional::stream).toList();
        if (!rows.isEmpty()) {
            lines.addAll(List.of("", "For docs/gpu.md, and for CheckPart, which says what is open:"));
            lines.addAll(rows);
        }
        return lines;
    }

    private static String missing(List<CheckResult> results) {
        return results.stream()
                .filter(result -> !isGood(result))
                .findFirst()
                .map(result -> result.name() + ": " + result.detail())
                .orElse("there is no GPU");
    }

    /** A skipped check lacks something, which is reported as a failure already, or makes no sense on this GPU. */
    public static boolean isGood(CheckResult result) {
        return switch (result.outcome()) {
            case OK, SKIPPED -> true;
            case ABSENT, FAILED -> false;
        };
    }
}
