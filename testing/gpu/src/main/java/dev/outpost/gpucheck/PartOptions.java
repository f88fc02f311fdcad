package dev.outpost.gpucheck;

import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.gpucheck.part.PartRecords;
import dev.outpost.gpucheck.part.PlannedPart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that choose the parts of {@code gpu-check} and their time. */
final class PartOptions {
    private static final double MINUTES = 10;

    /** A failure of the device is caused only on request, because the driver logs it. */
    private static final Set<CheckPart> UNASKED = EnumSet.complementOf(EnumSet.of(CheckPart.FAILURE));

    @Option(names = "--list", description = "Check nothing; tell the parts, a line each, and the question of each.")
    private boolean list;

    @Option(
            names = "--next",
            description = "Check the next part whose question is open, by the record of earlier runs in --output.")
    private boolean next;

    @Option(
            names = "--minutes",
            paramLabel = "NUMBER",
            description =
                    "About how long all may take; unless given, 10 without --part, and 3 for each part with it. What there"
                            + " is no time for is left out, and said.")
    private Double minutes;

    @Option(
            names = "--part",
            paramLabel = "PART",
            split = ",",
            description = "Check no more than this behind the self test, one or several of: ${COMPLETION-CANDIDATES};"
                    + " all but failure unless given.")
    private Set<CheckPart> parts;

    @Option(
            names = "--from",
            paramLabel = "NUMBER",
            description = "How many cases of the one --part were tried in earlier runs; they are not tried again.")
    private Long from;

    boolean isList() {
        return list;
    }

    boolean isNext() {
        return next;
    }

    /**
     * Returns the parts to run; none if all open ones have run.
     *
     * @param output the folder with the record of earlier runs
     * @throws ParameterException if the options contradict each other
     */
    List<PlannedPart> planned(Optional<Path> output, CommandLine command) throws IOException {
        contradiction(output).ifPresent(what -> {
            throw new ParameterException(command, what);
        });
        if (next) {
            PartRecords records = PartRecords.in(output.orElseThrow());
            return records.next().stream()
                    .map(part -> planned(Set.of(part)).getFirst().goingOnFrom(records.done(part)))
                    .toList();
        }
        List<PlannedPart> planned = planned(parts == null ? UNASKED : parts);
        return from == null
                ? planned
                : planned.stream().map(part -> part.goingOnFrom(from)).toList();
    }

    private Optional<String> contradiction(Optional<Path> output) {
        if (minutes != null && !(minutes > 0)) {
            return Optional.of("--minutes: needs to be more than 0, got " + minutes);
        }
        if (from != null && (parts == null || parts.size() != 1 || from < 0)) {
            return Optional.of("--from: goes with one --part, and is a count of its cases");
        }
        return next && (output.isEmpty() || parts != null)
                ? Optional.of("--next: wants --output, the folder with the record of earlier runs, and no --part")
                : Optional.empty();
    }

    private List<PlannedPart> planned(Set<CheckPart> chosen) {
        boolean isAll = !next && parts == null;
        double unlessGiven = isAll ? MINUTES : chosen.size() * (double) CheckPart.MOST.toMinutes();
        return PlannedPart.of(chosen, minutes == null ? unlessGiven : minutes);
    }
}
