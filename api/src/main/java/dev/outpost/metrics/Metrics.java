package dev.outpost.metrics;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Writes the metrics of a run to a folder: CSV, JSON lines and event files of TensorBoard. A line is on disk when the call returns, so a
 * killed process loses nothing. {@code ./outpost plot FOLDER} draws them.
 *
 * {@snippet file="DataExamplesTest.java" region="metrics"}
 *
 * <p>If the folder has files already, lines are added; use a folder for each run. Thread-safe.
 */
public final class Metrics implements AutoCloseable {
    /** The name of the CSV file. */
    public static final String CSV_FILE = "metrics.csv";

    /** The name of the file with JSON lines. */
    public static final String JSON_FILE = "metrics.jsonl";

    private final Path folder;
    private final List<MetricsWriter> writers = new ArrayList<>();
    private boolean isClosed;

    private Metrics(Path folder, EnumSet<MetricsFormat> formats, long afterStep) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            for (MetricsFormat format : formats) {
                writers.add(
                        switch (format) {
                            case CSV -> new CsvWriter(folder.resolve(CSV_FILE), afterStep);
                            case JSON_LINES -> new JsonLinesWriter(folder.resolve(JSON_FILE), afterStep);
                            case TENSORBOARD -> new EventFileWriter(folder, afterStep);
                        });
            }
        } catch (IOException failure) {
            writers.forEach(MetricsWriter::closeQuietly);
            throw unwritable(failure);
        }
    }

    /** Writes all formats to a folder, which is created if it does not exist. */
    public static Metrics to(Path folder) {
        return to(folder, MetricsFormat.values());
    }

    /** Writes these formats to a folder, which is created if it does not exist. */
    public static Metrics to(Path folder, MetricsFormat... formats) {
        return new Metrics(ArgumentChecks.required(folder, "the folder"), setOf(formats), Long.MAX_VALUE);
    }

    /**
     * Goes on with the metrics of a run that resumes from a checkpoint. Removes the lines of later steps, which the run computes again.
     *
     * @param step the last step that is done
     */
    public static Metrics resume(Path folder, long step, MetricsFormat... formats) {
        return new Metrics(
                ArgumentChecks.required(folder, "the folder"),
                setOf(formats.length == 0 ? MetricsFormat.values() : formats),
                step);
    }

    private static EnumSet<MetricsFormat> setOf(MetricsFormat... formats) {
        EnumSet<MetricsFormat> set = EnumSet.noneOf(MetricsFormat.class);
        set.addAll(List.of(formats));
        return set;
    }

    /** Writes a value of a step, for example {@code log(7, "loss", 0.3)}. */
    public void log(long step, String name, double value) {
        log(step, Map.of(name, value));
    }

    /**
     * Writes several values of a step, as one line.
     *
     * @param values by name; a slash in a name groups charts in TensorBoard, such as {@code loss/train}
     */
    public synchronized void log(long step, Map<String, ? extends Number> values) {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "metrics: " + folder + " is closed already");
        }
        SequencedMap<String, Double> doubles = new LinkedHashMap<>();
        values.forEach((name, value) -> doubles.put(checked(name), value.doubleValue()));
        if (doubles.isEmpty()) {
            return;
        }
        double time = System.currentTimeMillis() / 1e3;
        try {
            for (MetricsWriter writer : writers) {
                writer.write(step, time, doubles);
            }
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    private static String checked(String name) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl) || MetricsWriter.RESERVED.contains(name)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "metrics: a name is a line of text other than " + MetricsWriter.RESERVED + ", got \"" + name
                            + "\"");
        }
        return name;
    }

    private UncheckedIOException unwritable(IOException failure) {
        return new UncheckedIOException("metrics: " + folder + " cannot be written", failure);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        try {
            for (MetricsWriter writer : writers) {
                writer.close();
            }
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }
}
