package dev.outpost.client.profile;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Writes events in Chrome's trace format (JSON object format): times are in microseconds, and an enclosing span
 * precedes the spans within it.
 */
final class TraceFile {
    private static final Comparator<TraceEvent> ORDER =
            Comparator.comparingLong(TraceEvent::start).thenComparing(TraceEvent::duration, Comparator.reverseOrder());

    private final Writer out;

    TraceFile(Writer out) {
        this.out = out;
    }

    /** @param metadata the contents of a JSON object */
    void write(String metadata, List<TraceEvent> events) throws IOException {
        out.write("{\"displayTimeUnit\":\"ms\",\"otherData\":{" + metadata + "},\"traceEvents\":[\n");
        String separator = "";
        for (TraceEvent event : events.stream().sorted(ORDER).toList()) {
            out.write(separator);
            write(event);
            separator = ",\n";
        }
        out.write("\n]}\n");
    }

    private void write(TraceEvent event) throws IOException {
        out.write("{\"ph\":\"" + event.phase() + "\",\"pid\":" + event.process() + ",\"tid\":" + event.track()
                + ",\"name\":" + quoted(event.name()) + ",\"ts\":" + micros(event.start()));
        switch (event.phase()) {
            case 'X' -> out.write(",\"dur\":" + micros(event.duration()));
            case 'i' -> out.write(",\"s\":\"t\"");
            case 'f' -> out.write(",\"bp\":\"e\"");
            default -> {}
        }
        if (!event.id().isEmpty()) {
            out.write(",\"cat\":\"segment\",\"id\":\"" + event.id() + "\"");
        }
        out.write(event.arguments().isEmpty() ? "}" : ",\"args\":{" + event.arguments() + "}}");
    }

    /** Formats a time in microseconds with all digits of the nanoseconds. */
    private static String micros(long nanos) {
        return String.format(
                Locale.ROOT, "%s%d.%03d", nanos < 0 ? "-" : "", Math.abs(nanos / 1000), Math.abs(nanos % 1000));
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char next : text.toCharArray()) {
            switch (next) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                default -> json.append(next < ' ' ? String.format(Locale.ROOT, "\\u%04x", (int) next) : "" + next);
            }
        }
        return json.append('"').toString();
    }
}
