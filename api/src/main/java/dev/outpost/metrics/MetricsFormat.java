package dev.outpost.metrics;

/** The file formats of {@link Metrics}. */
public enum MetricsFormat {
    /** {@code metrics.csv}: a column for each name, for spreadsheets and pandas. */
    CSV,
    /** {@code metrics.jsonl}: a JSON object in each line. */
    JSON_LINES,
    /** {@code events.out.tfevents.…}: scalars for TensorBoard. */
    TENSORBOARD
}
