package dev.outpost.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Detects when repeated runs stop getting faster. Ahead-of-time code reaches its final speed in a second; a JIT that shares
 * the processors with the code that it compiles may take a minute.
 */
final class Settling {
    private static final long WINDOW_NANOS = 3_000_000_000L;
    /** The number of consecutive windows without a gain that end the warm-up. */
    private static final int PATIENCE = 3;
    /** A window gains only if its median is below this fraction of the best one so far. */
    private static final double GAIN = 0.97;

    private static final long MAX_NANOS = 60_000_000_000L;

    private final WarmUp least;
    private final LongSupplier clock;
    private final long begin;
    private final List<Double> window = new ArrayList<>();
    private long windowBegin;
    private double best = Double.MAX_VALUE;
    private int inVain;
    private int repetitions;

    /** @param least the minimum; a warm-up of no seconds ends after its repetitions */
    Settling(WarmUp least) {
        this(least, System::nanoTime);
    }

    Settling(WarmUp least, LongSupplier clock) {
        this.least = least;
        this.clock = clock;
        this.begin = clock.getAsLong();
        this.windowBegin = begin;
    }

    /** Adds the time of one run. */
    void add(double milliseconds) {
        repetitions++;
        window.add(milliseconds);
        if (clock.getAsLong() - windowBegin >= WINDOW_NANOS) {
            closeWindow();
        }
    }

    private void closeWindow() {
        Collections.sort(window);
        double median = window.get(window.size() / 2);
        inVain = median < GAIN * best ? 0 : inVain + 1;
        best = Math.min(best, median);
        window.clear();
        windowBegin = clock.getAsLong();
    }

    boolean isOver() {
        long spent = clock.getAsLong() - begin;
        boolean isSettled = least.seconds() == 0 || inVain >= PATIENCE || spent >= MAX_NANOS;
        return isSettled && least.isOver(repetitions, spent);
    }
}
