package dev.outpost.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measured figures by name, in the order in which they were added, each with its target. */
final class MeasuredFigures {
    private record Figure(double value, String aim) {}

    private final Map<String, Figure> figures = new LinkedHashMap<>();

    /** @param aim the target for the printed table; empty if there is none */
    void add(String name, double value, String aim) {
        figures.put(name, new Figure(value, aim));
    }

    void print(PrintStream out) {
        figures.forEach((name, figure) -> out.printf("%-32s %,14.4f   %s%n", name, figure.value, figure.aim));
    }

    /** Writes one flat JSON object. */
    void write(Path file) throws IOException {
        Map<String, Double> flat = new LinkedHashMap<>();
        figures.forEach((name, figure) -> flat.put(name, figure.value));
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), flat);
    }
}
