package dev.outpost.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Whether something that is run again and again gets no faster any more. Machine code takes its final speed in a second, while
 * a JIT that shares the processors with what it compiles may take a minute.
 */
final class Settling {
    private static final long WINDOW_NANOS = 3_000_000_000L;
    /** Windows in a row in which nothing is gained. */
    private static final int PATIENCE = 3;
    /** Of the best median so far: a window that takes more than that gains nothing. */
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

    /** @param least it is never over before; a warm-up of no seconds is over with its repetitions */
    Settling(WarmUp least) {
        this(least, System::nanoTime);
    }

    Settling(WarmUp least, LongSupplier clock) {
        this.least = least;
        this.clock = clock;
        this.begin = clock.getAsLong();
        this.windowBegin = begin;
    }

    /** It has run once more, for so long. */
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
