package dev.outpost.models.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Draws a chart with braille characters, each of which has two by four dots. */
final class TextChart {
    private static final int DOTS_ACROSS = 2;
    private static final int DOTS_DOWN = 4;
    /** The bits of a braille character by row and column. */
    private static final int[][] BITS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

    private static final char BRAILLE = '\u2800';
    private static final String MARKS = "abcdefghijklmnopqrstuvwxyz";

    private final Chart chart;
    private final Ticks vertical;
    private final Ticks horizontal;
    private final int labelWidth;
    private final int columns;
    private final int rows;
    private final int[][] cells;
    private final char[][] marks;

    private TextChart(Chart chart, int width, int height) {
        this.chart = chart;
        rows = height - 4;
        vertical = chart.ticks(1, Math.max(2, rows / 3));
        labelWidth = vertical.values().stream()
                .mapToInt(tick -> vertical.text(tick).length())
                .max()
                .orElse(1);
        columns = width - labelWidth - 3;
        horizontal = chart.ticks(0, Math.max(2, columns / 12));
        cells = new int[rows][columns];
        marks = new char[rows][columns];
    }

    static String draw(Chart chart, int columns, int rows) {
        return chart.isEmpty() ? chart.title() + ": no finite points\n" : new TextChart(chart, columns, rows).draw();
    }

    private String draw() {
        int number = 0;
        for (Map.Entry<String, List<double[]>> entry : chart.series().entrySet()) {
            curve(entry.getValue(), chart.series().size() == 1 ? 0 : MARKS.charAt(number++ % MARKS.length()));
        }
        StringBuilder text = new StringBuilder(chart.title());
        if (!chart.vertical().equalsIgnoreCase(chart.title())) {
            text.append(", ").append(chart.vertical());
        }
        text.append('\n');
        for (int row = 0; row < rows; row++) {
            text.append(String.format("%" + labelWidth + "s │", label(row)));
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                line.append(marks[row][column] != 0 ? marks[row][column] : (char) (BRAILLE + cells[row][column]));
            }
            text.append(line.toString().replaceAll(BRAILLE + "+$", "")).append('\n');
        }
        text.append(" ".repeat(labelWidth))
                .append(" └")
                .append("─".repeat(columns))
                .append('\n');
        text.append(" ".repeat(labelWidth + 2)).append(axis()).append('\n');
        if (chart.series().size() > 1) {
            int mark = 0;
            for (String name : chart.series().keySet()) {
                text.append("  ")
                        .append(MARKS.charAt(mark++ % MARKS.length()))
                        .append(": ")
                        .append(name);
            }
            text.append('\n');
        }
        return text.toString().replace(BRAILLE, ' ');
    }

    private String label(int row) {
        for (double tick : vertical.values()) {
            if (Math.round((1 - vertical.place(tick)) * (rows - 1)) == row) {
                return vertical.text(tick);
            }
        }
        return "";
    }

    private String axis() {
        char[] line = new char[columns + 1];
        Arrays.fill(line, ' ');
        int free = 0;
        for (double tick : horizontal.values()) {
            String text = horizontal.text(tick);
            int from = (int) Math.round(horizontal.place(tick) * (columns - 1)) - text.length() / 2;
            from = Math.clamp(from, 0, Math.max(0, columns - text.length()));
            if (from >= free) {
                text.getChars(0, text.length(), line, from);
                free = from + text.length() + 2;
            }
        }
        String name = chart.horizontal();
        return new String(line).stripTrailing()
                + (free + name.length() <= columns ? "  " + name : "\n" + " ".repeat(labelWidth + 2) + name);
    }

    private void curve(List<double[]> points, int mark) {
        double[] before = points.getFirst();
        for (double[] point : points) {
            segment(before, point);
            before = point;
        }
        if (mark != 0) {
            marks[dotRow(before[1]) / DOTS_DOWN][dotColumn(before[0]) / DOTS_ACROSS] = (char) mark;
        }
    }

    private void segment(double[] from, double[] to) {
        int dots = Math.max(
                1,
                Math.max(Math.abs(dotColumn(to[0]) - dotColumn(from[0])), Math.abs(dotRow(to[1]) - dotRow(from[1]))));
        for (int dot = 0; dot <= dots; dot++) {
            double share = (double) dot / dots;
            int column = dotColumn(from[0] + share * (to[0] - from[0]));
            int row = dotRow(from[1] + share * (to[1] - from[1]));
            cells[row / DOTS_DOWN][column / DOTS_ACROSS] |= BITS[row % DOTS_DOWN][column % DOTS_ACROSS];
        }
    }

    private int dotColumn(double value) {
        return (int) Math.round(horizontal.place(value) * (columns * DOTS_ACROSS - 1));
    }

    private int dotRow(double value) {
        return (int) Math.round((1 - vertical.place(value)) * (rows * DOTS_DOWN - 1));
    }
}
