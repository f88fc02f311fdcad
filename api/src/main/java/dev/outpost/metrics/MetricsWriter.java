package dev.outpost.metrics;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.SequencedMap;

/** A file of metrics in one format. */
interface MetricsWriter extends Closeable {
    /** The names of columns that each line has. */
    List<String> RESERVED = List.of("step", "time");

    /**
     * Writes a line to disk.
     *
     * @param time seconds since 1970
     */
    void write(long step, double time, SequencedMap<String, Double> values) throws IOException;

    default void closeQuietly() {
        try {
            close();
        } catch (IOException ignored) {
            // The first failure is reported.
        }
    }
}
