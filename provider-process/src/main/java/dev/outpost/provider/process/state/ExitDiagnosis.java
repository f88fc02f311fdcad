package dev.outpost.provider.process.state;

import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Derives the reason for the end of a process from the files that it left. */
final class ExitDiagnosis {
    private static final int LAST_LINES = 3;
    private static final String CRASHED = "A fatal error has been detected";

    private ExitDiagnosis() {}

    /**
     * @param process the process; empty if it was never started
     * @param end the reason that the runtime wrote at its end
     * @param crash the crash report of the JVM
     * @param served true if it was ever ready
     * @param now the time to use for the end if no file contains it
     */
    static ExitState of(
            Optional<MachineProcess> process,
            Optional<String> end,
            Optional<String> crash,
            boolean served,
            String log,
            Instant now) {
        if (process.isEmpty()) {
            return failed("it was never started: its client had ended before", now);
        }
        return end.flatMap(line -> decided(line.strip(), now))
                .or(() -> crash.map(report -> failed("its JVM crashed: " + symptom(report), now)))
                .orElseGet(() -> failed(served ? vanished(process.get(), log) : notStarted(log), now));
    }

    private static Optional<ExitState> decided(String line, Instant now) {
        int colon = line.indexOf(": ");
        return colon < 0
                ? Optional.empty()
                : cause(line.substring(0, colon)).map(cause -> new ExitState(cause, now, line.substring(colon + 2)));
    }

    /** Returns the cause that a word in the runtime's end file names. */
    private static Optional<EndCause> cause(String word) {
        return Optional.ofNullable(
                switch (word) {
                    case "idle" -> EndCause.IDLE;
                    case "unused" -> EndCause.UNUSED;
                    case "expired" -> EndCause.EXPIRED;
                    case "drained" -> EndCause.STOPPED;
                    case "failed" -> EndCause.FAILED;
                    default -> null;
                });
    }

    /** Returns the first line of content after the heading: {@code SIGSEGV (0xb) at pc=…}. */
    private static String symptom(String report) {
        return report.lines()
                .dropWhile(line -> !line.contains(CRASHED))
                .skip(1)
                .map(line -> line.replaceFirst("^#\\s*", "").strip())
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("its report is empty");
    }

    private static String vanished(MachineProcess process, String log) {
        return "its process " + process.pid()
                + " ended without a report: it was killed, by kill -9 or by the kernel because memory ran out"
                + quoted(log);
    }

    private static String notStarted(String log) {
        String text = lastLines(log);
        return text.isEmpty()
                ? "its runtime ended at its start without a message"
                : "its runtime did not start: " + text;
    }

    private static String quoted(String log) {
        String text = lastLines(log);
        return text.isEmpty() ? "" : "; its log ends: " + text;
    }

    private static String lastLines(String log) {
        List<String> lines = log.lines().filter(line -> !line.isBlank()).toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(String::strip)
                .collect(Collectors.joining(" | "));
    }

    private static ExitState failed(String reason, Instant now) {
        return new ExitState(EndCause.FAILED, now, reason);
    }
}
