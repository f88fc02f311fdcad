package dev.outpost.backend.simulation;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints the progress of a simulation at regular intervals. Not thread-safe. */
final class SimulationProgress {
    private static final double SECONDS_AN_HOUR = 3600;

    private final PrintStream out;
    private final Duration every;
    private final LongSupplier nanos;
    private final long began;
    private long told;

    /** @param nanos the real time, such as {@link System#nanoTime} */
    SimulationProgress(PrintStream out, Duration every, LongSupplier nanos) {
        this.out = out;
        this.every = every;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.told = began;
    }

    /** @param simulated the virtual time so far; more than {@code all} while the last requests run */
    void at(Duration simulated, Duration all, int requests) {
        long now = nanos.getAsLong();
        if (now - told >= every.toNanos()) {
            told = now;
            out.printf(
                    Locale.ROOT,
                    "%.1f of %.1f h, %d requests, %d s%n",
                    simulated.toSeconds() / SECONDS_AN_HOUR,
                    all.toSeconds() / SECONDS_AN_HOUR,
                    requests,
                    Duration.ofNanos(now - began).toSeconds());
        }
    }
}
