package dev.outpost.gpucheck;

import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Prints each result of a check at once, so that an interrupted check has printed the earlier results. */
final class GpuCheckProgress {
    private final PrintWriter out;
    private final Optional<Path> folder;
    private final LongSupplier clock;
    private final long start;
    private final List<CheckResult> results = new ArrayList<>();

    /**
     * @param folder the folder of the report, which is kept up to date
     * @param clock a clock in nanoseconds
     */
    GpuCheckProgress(PrintWriter out, Optional<Path> folder, LongSupplier clock) {
        this.out = out;
        this.folder = folder;
        this.clock = clock;
        start = clock.getAsLong();
    }

    void take(CheckResult result) {
        results.add(result);
        double seconds = (clock.getAsLong() - start) / 1e9;
        String outcome = result.outcome().name().toLowerCase(Locale.ROOT);
        out.println(String.format(Locale.ROOT, "%6.1f s  %-7s  %s", seconds, outcome, result.name()));
        out.flush();
        folder.ifPresent(this::write);
    }

    /** All results so far. */
    List<CheckResult> results() {
        return List.copyOf(results);
    }

    private void write(Path report) {
        try {
            GpuCheckReport.write(results, List.of(), report);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
