package dev.outpost.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The cells of a line of CSV, as in RFC 4180. No cell has a line break. */
final class CsvCells {
    private CsvCells() {}

    static String join(List<String> cells) {
        return cells.stream().map(CsvCells::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String cell) {
        return cell.contains(",") || cell.contains("\"") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    static List<String> split(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int at = 0; at < line.length(); at++) {
            char next = line.charAt(at);
            if (next == '"' && isQuoted && at + 1 < line.length() && line.charAt(at + 1) == '"') {
                cell.append('"');
                at++;
            } else if (next == '"') {
                isQuoted = !isQuoted;
            } else if (next == ',' && !isQuoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(next);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
