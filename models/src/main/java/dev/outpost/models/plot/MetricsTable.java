package dev.outpost.models.plot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.metrics.Metrics;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The values that {@link Metrics} wrote to a folder. A later value of a step replaces an earlier one. */
public final class MetricsTable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int DEPTH = 4;

    private final SequencedMap<String, NavigableMap<Long, Double>> values = new LinkedHashMap<>();

    private MetricsTable() {}

    /** Reads the JSON lines of a folder. A last line that is still being written is left out. */
    public static MetricsTable read(Path folder) {
        MetricsTable table = new MetricsTable();
        Path file = folder.resolve(Metrics.JSON_FILE);
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(table::add);
        } catch (IOException failure) {
            throw new UncheckedIOException("plot: " + file + " cannot be read", failure);
        }
        return table;
    }

    /** Returns the folders of runs: the folder itself and folders below it that have metrics, by name. */
    public static List<Path> runs(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new OutpostException(FaultKind.USER, "plot: there is no folder " + folder.toAbsolutePath());
        }
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            return files.filter(file -> file.endsWith(Metrics.JSON_FILE))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("plot: " + folder + " cannot be read", failure);
        }
    }

    private void add(String line) {
        JsonNode row;
        try {
            row = MAPPER.readTree(line);
        } catch (IOException ignored) {
            return;
        }
        long step = row.path("step").asLong();
        row.properties().forEach(cell -> {
            String name = cell.getKey();
            if (!name.equals("step") && !name.equals("time") && cell.getValue().isNumber()) {
                values.computeIfAbsent(name, unused -> new TreeMap<>())
                        .put(step, cell.getValue().asDouble());
            }
        });
    }

    /** Returns the names of the metrics, in the order of their first values. */
    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** Returns the points (step, value) of a metric, by step. */
    public Optional<List<double[]>> series(String name) {
        return Optional.ofNullable(values.get(name)).map(points -> {
            List<double[]> pairs = new ArrayList<>();
            points.forEach((step, value) -> pairs.add(new double[] {step, value}));
            return pairs;
        });
    }
}
