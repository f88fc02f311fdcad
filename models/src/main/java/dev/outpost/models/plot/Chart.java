package dev.outpost.models.plot;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/**
 * A line chart with a title, axes with units, and a legend. {@link #save} writes PNG, which needs XChart and {@code java.desktop} but no
 * screen, or SVG, which needs neither; {@link #text} draws for a terminal.
 *
 * <pre>{@code
 * for (Chart chart : Chart.of(Path.of("runs/digits"))) {
 *     System.out.println(chart.text(80, 16));
 *     chart.save(Path.of(chart.fileName() + ".svg"));
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class Chart {
    private final String title;
    private final String horizontal;
    private final String vertical;
    private final SequencedMap<String, List<double[]>> series = new LinkedHashMap<>();
    /** The number of this chart among those with the same file name. */
    private int number = 1;

    /**
     * Makes a chart without lines.
     *
     * @param horizontal the label of the horizontal axis, such as {@code step}
     * @param vertical the label of the vertical axis, such as {@code time (s)}
     */
    public Chart(String title, String horizontal, String vertical) {
        this.title = title;
        this.horizontal = horizontal;
        this.vertical = vertical;
    }

    /**
     * Returns the charts of the runs in a folder, as {@link dev.outpost.metrics.Metrics} wrote them. A chart has the metrics whose names have
     * the same part before the first slash, and all runs.
     */
    public static List<Chart> of(Path folder) {
        List<Path> runs = MetricsTable.runs(folder);
        if (runs.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "plot: no folder in " + folder + " has a metrics.jsonl; Metrics.to(folder) writes one");
        }
        Map<String, Chart> charts = new LinkedHashMap<>();
        for (Path run : runs) {
            MetricsTable table = MetricsTable.read(run);
            String runName = runs.size() == 1 ? "" : folder.relativize(run).toString();
            for (String name : table.names()) {
                int slash = name.indexOf('/', 1);
                String group = slash < 0 ? name : name.substring(0, slash);
                String rest = slash < 0 ? name : name.substring(slash + 1);
                charts.computeIfAbsent(group, key -> new Chart(titleOf(key), "step", Units.label(key)))
                        .add(
                                runName.isEmpty() ? rest : runName + " " + rest,
                                table.series(name).orElseThrow());
            }
        }
        number(charts.values());
        return List.copyOf(charts.values());
    }

    /** Numbers charts that would have one file name. */
    private static void number(Collection<Chart> charts) {
        Set<String> names = new HashSet<>();
        for (Chart chart : charts) {
            while (!names.add(chart.fileName())) {
                chart.number++;
            }
        }
    }

    private static String titleOf(String name) {
        String words = name.replace('_', ' ');
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /**
     * Adds a line.
     *
     * @param points pairs of a horizontal and a vertical number, in order; those that are not finite are left out
     */
    public Chart add(String name, List<double[]> points) {
        List<double[]> finite = new ArrayList<>();
        for (double[] point : points) {
            if (Double.isFinite(point[0]) && Double.isFinite(point[1])) {
                finite.add(point.clone());
            }
        }
        if (!finite.isEmpty()) {
            series.put(name, finite);
        }
        return this;
    }

    /** Returns true if there is nothing to draw. */
    public boolean isEmpty() {
        return series.isEmpty();
    }

    /** Returns the title as a name of a file, without its extension. Names of charts of one {@link #of} call differ. */
    public String fileName() {
        String name = title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-");
        return number == 1 ? name : name + "-" + number;
    }

    /** Writes the chart. The extension is the format, {@code .png} or {@code .svg}. */
    public void save(Path file) {
        if (isEmpty()) {
            throw new OutpostException(FaultKind.USER, "plot: the chart \"" + title + "\" has no finite points");
        }
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (!name.endsWith(".png") && !name.endsWith(".svg")) {
            throw new OutpostException(FaultKind.USER, "plot: charts are .png or .svg, got " + file);
        }
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            if (name.endsWith(".png")) {
                Files.write(file, PngChart.draw(this));
            } else {
                Files.writeString(file, SvgDrawing.draw(this));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("plot: " + file + " cannot be written", failure);
        }
    }

    /**
     * Returns the chart as lines of text.
     *
     * @param columns the width, at least 40
     * @param rows the height, at least 8
     */
    public String text(int columns, int rows) {
        return TextChart.draw(this, Math.max(40, columns), Math.max(8, rows));
    }

    String title() {
        return title;
    }

    String horizontal() {
        return horizontal;
    }

    String vertical() {
        return vertical;
    }

    SequencedMap<String, List<double[]>> series() {
        return series;
    }

    /** Returns the ticks of an axis. */
    Ticks ticks(int axis, int count) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (List<double[]> points : series.values()) {
            for (double[] point : points) {
                min = Math.min(min, point[axis]);
                max = Math.max(max, point[axis]);
            }
        }
        return Ticks.of(min, max, count, axis == 0);
    }
}
