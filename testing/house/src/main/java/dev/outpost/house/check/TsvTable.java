package dev.outpost.house.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of rows, with tabs between their cells. The first row names the columns; lines that begin with {@code #} are comments. */
final class TsvTable {
    private TsvTable() {}

    static List<List<String>> read(Path file, int columns) throws IOException {
        List<List<String>> rows = Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .skip(1)
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
        for (List<String> row : rows) {
            if (row.size() != columns) {
                throw new IOException(file + ": a row has " + row.size() + " cells, not " + columns + ": " + row);
            }
        }
        return rows;
    }
}
