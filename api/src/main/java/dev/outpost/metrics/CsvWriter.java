package dev.outpost.metrics;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/**
 * A CSV file with columns {@code step}, {@code time} and one for each name. When a new name occurs, the file is written again with a
 * further column.
 */
final class CsvWriter implements MetricsWriter {
    private final Path file;
    private final List<String> names = new ArrayList<>();
    private LineFile lines;

    CsvWriter(Path file, long afterStep) throws IOException {
        this.file = file;
        List<String> kept = new ArrayList<>();
        if (Files.exists(file)) {
            List<String> old = Files.readAllLines(file);
            if (!old.isEmpty()) {
                List<String> head = CsvCells.split(old.getFirst());
                if (!head.subList(0, Math.min(2, head.size())).equals(RESERVED)) {
                    throw new IOException(file + " has other columns than step, time, …; choose another folder");
                }
                names.addAll(head.subList(2, head.size()));
                old.stream().skip(1).filter(line -> isKept(line, afterStep)).forEach(kept::add);
            }
        }
        lines = LineFile.replace(file, withHead(kept));
    }

    private boolean isKept(String line, long afterStep) {
        List<String> cells = CsvCells.split(line);
        return cells.size() == names.size() + 2
                && cells.getFirst().matches("-?\\d{1,18}")
                && Long.parseLong(cells.getFirst()) <= afterStep;
    }

    private List<String> withHead(List<String> rows) {
        List<String> all = new ArrayList<>(List.of(head()));
        all.addAll(rows);
        return all;
    }

    private String head() {
        List<String> columns = new ArrayList<>(RESERVED);
        columns.addAll(names);
        return CsvCells.join(columns);
    }

    @Override
    public void write(long step, double time, SequencedMap<String, Double> values) throws IOException {
        List<String> added =
                values.keySet().stream().filter(name -> !names.contains(name)).toList();
        if (!added.isEmpty()) {
            addColumns(added);
        }
        List<String> cells =
                new ArrayList<>(List.of("" + step, BigDecimal.valueOf(time).toPlainString()));
        for (String name : names) {
            Double value = values.get(name);
            cells.add(value == null ? "" : value.toString());
        }
        lines.add(CsvCells.join(cells));
    }

    private void addColumns(List<String> added) throws IOException {
        lines.close();
        List<String> old = Files.readAllLines(file);
        names.addAll(added);
        String empty = ",".repeat(added.size());
        lines = LineFile.replace(
                file, withHead(old.stream().skip(1).map(line -> line + empty).toList()));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
