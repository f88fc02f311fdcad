package dev.outpost.metrics;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of JSON objects. Numbers that JSON does not have, such as NaN, are null. */
final class JsonLinesWriter implements MetricsWriter {
    private static final Pattern STEP = Pattern.compile("\\{\"step\":(-?\\d{1,18}),.*}");
    private final LineFile lines;

    JsonLinesWriter(Path file, long afterStep) throws IOException {
        List<String> old = Files.exists(file) ? Files.readAllLines(file) : List.of();
        lines = LineFile.replace(
                file, old.stream().filter(line -> isKept(line, afterStep)).toList());
    }

    /** Also drops a last line that is cut off, which a killed process may leave. */
    private static boolean isKept(String line, long afterStep) {
        Matcher matcher = STEP.matcher(line);
        return matcher.matches() && Long.parseLong(matcher.group(1)) <= afterStep;
    }

    @Override
    public void write(long step, double time, SequencedMap<String, Double> values) throws IOException {
        StringBuilder json = new StringBuilder("{\"step\":")
                .append(step)
                .append(",\"time\":")
                .append(BigDecimal.valueOf(time).toPlainString());
        values.forEach((name, value) -> json.append(",\"")
                .append(name.replace("\\", "\\\\").replace("\"", "\\\""))
                .append("\":")
                .append(Double.isFinite(value) ? value : null));
        lines.add(json.append('}').toString());
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
