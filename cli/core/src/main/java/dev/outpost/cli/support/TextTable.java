package dev.outpost.cli.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Columns of text, as wide as their longest cell. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** @throws IllegalArgumentException if a column has no heading */
    public TextTable(String... headings) {
        if (Arrays.stream(headings).anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("table: each column needs a heading, got " + List.of(headings));
        }
        rows.add(List.of(headings));
    }

    /**
     * Adds a row with one cell for each heading; a null cell is empty. Removes control characters, because texts of
     * other users must not control the terminal.
     */
    public void row(Object... cells) {
        rows.add(IntStream.range(0, rows.getFirst().size())
                .mapToObj(column -> Objects.toString(cells[column], "").replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", " "))
                .toList());
    }

    /** Returns the lines, without trailing spaces. */
    public List<String> lines() {
        List<Integer> widths =
                IntStream.range(0, rows.getFirst().size()).mapToObj(this::width).toList();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String line(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths.get(column) - row.get(column).length()))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }
}
