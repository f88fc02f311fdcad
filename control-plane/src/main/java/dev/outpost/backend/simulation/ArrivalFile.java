package dev.outpost.backend.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads requests from comma-separated lines under a header: {@code seconds,organisation,project,gpu,use_seconds}. */
final class ArrivalFile {
    private static final String HEADER = "seconds,organisation,project,gpu,use_seconds";
    private static final int COLUMNS = 5;
    private static final double MILLIS = 1_000;

    private ArrivalFile() {}

    /**
     * Returns all requests, ordered by time.
     *
     * @throws IllegalArgumentException if a line does not have that form; the message names file and line
     */
    static List<Arrival> read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().strip().equals(HEADER)) {
            throw new IllegalArgumentException(file + ": expected a first line of \"" + HEADER + "\", got "
                    + (lines.isEmpty() ? "nothing" : "\"" + lines.getFirst() + "\""));
        }
        List<Arrival> arrivals = new ArrayList<>();
        for (int line = 1; line < lines.size(); line++) {
            if (!lines.get(line).isBlank()) {
                arrivals.add(parse(file + ": line " + (line + 1), lines.get(line)));
            }
        }
        arrivals.sort(Comparator.comparing(Arrival::at));
        return arrivals;
    }

    private static Arrival parse(String where, String line) {
        String[] fields = line.strip().split(",", -1);
        if (fields.length != COLUMNS) {
            throw new IllegalArgumentException(
                    where + ": expected " + COLUMNS + " fields, got " + fields.length + " in \"" + line + "\"");
        }
        return new Arrival(
                seconds(where, fields[0]), fields[1], fields[2], fields[3], seconds(where, fields[COLUMNS - 1]));
    }

    private static Duration seconds(String where, String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && Double.isFinite(seconds)) {
                return Duration.ofMillis(Math.round(seconds * MILLIS));
            }
        } catch (NumberFormatException ignored) {
            // The line is refused below.
        }
        throw new IllegalArgumentException(where + ": expected seconds of 0 or more, got \"" + text + "\"");
    }

    static void write(Path file, List<Arrival> arrivals) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(HEADER);
        arrivals.forEach(one -> lines.add(
                String.join(",", seconds(one.at()), one.organisation(), one.project(), one.gpu(), seconds(one.use()))));
        Files.write(file, lines);
    }

    private static String seconds(Duration time) {
        return Double.toString(time.toMillis() / MILLIS);
    }
}
