package dev.outpost.provider.k8s.reason.text;

import java.util.List;
import java.util.function.Predicate;

/** Quotes the end of a log in a sentence. */
public final class LastLines {
    private static final int LINES = 3;
    private static final int LENGTH = 400;

    private LastLines() {}

    /** Returns the last lines as the cause: {@code : "line" / "line"}. Empty for an empty log. */
    public static String quoted(String log) {
        String lines = lines(log);
        return lines.isEmpty() ? "" : ": " + lines;
    }

    /** Returns the last lines if they may not be the cause: {@code ; its log ends with "line" / "line"}. */
    public static String ending(String log) {
        String lines = lines(log);
        return lines.isEmpty() ? "" : "; its log ends with " + lines;
    }

    private static String lines(String log) {
        List<String> lines = log.lines()
                .filter(Predicate.not(LastLines::isStackFrame))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .toList();
        List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
        return last.isEmpty() ? "" : "\"" + shortened(String.join("\" / \"", last)) + "\"";
    }

    private static boolean isStackFrame(String line) {
        return line.matches("\\s+(at .*|\\.\\.\\. \\d+ more)");
    }

    /** Shortens a text from its beginning, because its end matters most. */
    private static String shortened(String text) {
        return text.length() <= LENGTH ? text : "…" + text.substring(text.length() - LENGTH);
    }
}
