package dev.outpost.provider.k8s.reason.text;

import java.util.List;
import java.util.function.Predicate;

/** The end of a log, put into a sentence. */
public final class LastLines {
    private static final int LINES = 3;
    private static final int LENGTH = 400;

    private LastLines() {}

    /** The last lines that say something: {@code : "line" / "line"}. Empty for a log without any. */
    public static String quoted(String log) {
        List<String> lines = log.lines()
                .filter(Predicate.not(LastLines::isStackFrame))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .toList();
        List<String> last = lines.subList(Math.max(0, lines.size() - LINES), lines.size());
        return last.isEmpty() ? "" : ": \"" + shortened(String.join("\" / \"", last)) + "\"";
    }

    private static boolean isStackFrame(String line) {
        return line.matches("\\s+(at .*|\\.\\.\\. \\d+ more)");
    }

    /** The end of the text counts most. */
    private static String shortened(String text) {
        return text.length() <= LENGTH ? text : "…" + text.substring(text.length() - LENGTH);
    }
}
