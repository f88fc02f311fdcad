package dev.outpost.metrics;

import dev.outpost.client.start.Terminal;
import dev.outpost.internal.text.ByteUnits;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A bar with rate, values and the time left, for loops that count their steps themselves; {@link Progress} is for loops over batches. A
 * terminal redraws the bar in place. A pipe or file receives a plain line from time to time.
 *
 * {@snippet file="DataExamplesTest.java" region="progressBar"}
 *
 * <p>Thread-safe.
 */
public final class ProgressBar implements AutoCloseable {
    private static final int CELLS = 24;
    private static final long NANOS_BETWEEN_DRAWINGS = 100_000_000L;
    private static final long NANOS_BETWEEN_LINES = 10_000_000_000L;

    private final long total;
    private final PrintWriter out;
    private final boolean isTerminal;
    private final LongSupplier clock;
    private final StepRate rate = new StepRate();
    private final SequencedMap<String, String> values = new LinkedHashMap<>();
    private final long begun;
    private String title = "";
    private String unit = "steps";
    private boolean countsBytes;
    private boolean isPassing;
    private long delay;
    private long step;
    private long drawnStep = -1;
    private long drawn;
    private int width;
    private boolean holdsLine;
    private boolean isClosed;

    /**
     * Draws on standard error.
     *
     * @param total number of steps; negative if it is not known
     */
    public ProgressBar(long total) {
        this(total, new PrintWriter(System.err, true), Terminal.showsErrors());
    }

    /** @param isTerminal true if a line can be redrawn in place */
    public ProgressBar(long total, PrintWriter out, boolean isTerminal) {
        this(total, out, isTerminal, System::nanoTime);
    }

    ProgressBar(long total, PrintWriter out, boolean isTerminal, LongSupplier clock) {
        this.total = total;
        this.out = out;
        this.isTerminal = isTerminal;
        this.clock = clock;
        begun = clock.getAsLong();
        drawn = begun - (isTerminal ? NANOS_BETWEEN_DRAWINGS : 0);
    }

    /** Sets the text in front of the bar, such as {@code epoch 3}. */
    public synchronized ProgressBar title(String text) {
        title = text;
        return this;
    }

    /** Sets the unit of the rate. It is {@code steps} by default. */
    public synchronized ProgressBar unit(String plural) {
        unit = plural;
        return this;
    }

    /** Counts bytes instead of steps, and shows them as {@code 12.5 MiB of 93.1 MiB}. */
    public synchronized ProgressBar bytes() {
        countsBytes = true;
        return this;
    }

    /**
     * Shows the bar only if the work takes longer than a delay. A terminal erases it at the end. For waits that are of no interest once
     * they are over.
     */
    public synchronized ProgressBar passing(Duration showAfter) {
        isPassing = true;
        delay = showAfter.toNanos();
        return this;
    }

    /** Sets the number of steps that were done before, for example when training is resumed. */
    public synchronized ProgressBar resume(long doneSteps) {
        step = doneSteps;
        return this;
    }

    /** Counts a step. Draws if the last drawing is long enough ago. */
    public void step() {
        step(1);
    }

    /**
     * Counts a step of this size, such as its number of tokens, whose rate is shown.
     *
     * @param units the size in the {@link #unit}
     */
    public synchronized void step(double units) {
        step++;
        rate.add(step, units, clock.getAsLong());
        draw();
    }

    /**
     * Sets the number of steps or bytes that are done, and draws if the last drawing is long enough ago, even if nothing more was done.
     * For work that is asked about its progress at intervals.
     */
    public synchronized void at(long done) {
        long now = clock.getAsLong();
        if (done > step) {
            rate.add(done, done - (double) step, now);
            step = done;
        }
        if (!isClosed && (now - drawn >= pause() || step == total && step != drawnStep)) {
            print();
        }
    }

    /** Shows a value behind the bar from the next drawing on. */
    public synchronized ProgressBar show(String name, double value) {
        values.put(name, number(value));
        return this;
    }

    /** Shows a value no longer. */
    public synchronized ProgressBar hide(String name) {
        values.remove(name);
        return this;
    }

    /**
     * Shows a value like {@link #show(String, double)}, but calls the function only if the bar is about to be drawn. A loss need not be
     * read from the machine after each step for this.
     */
    public ProgressBar show(String name, DoubleSupplier value) {
        synchronized (this) {
            if (!isDue(step + 1)) {
                return this;
            }
        }
        // A function may wait for the machine, so no lock is held.
        return show(name, value.getAsDouble());
    }

    /** Prints a line of its own above the bar. */
    public synchronized void message(String line) {
        clear();
        out.println(line);
        out.flush();
        if (isTerminal && !isClosed) {
            print();
        }
    }

    /** Returns true if the end of this step is drawn. */
    private boolean isDue(long step) {
        return !isClosed && step != drawnStep && (step == total || clock.getAsLong() - drawn >= pause());
    }

    private void draw() {
        if (isDue(step)) {
            print();
        }
    }

    /** Lines about a wait of unknown length come after twice the time of the line before. */
    private long pause() {
        if (isTerminal) {
            return NANOS_BETWEEN_DRAWINGS;
        }
        return total < 0 && step == 0 ? Math.max(NANOS_BETWEEN_LINES, drawn - begun) : NANOS_BETWEEN_LINES;
    }

    private void print() {
        if (clock.getAsLong() - begun < delay) {
            return;
        }
        drawn = clock.getAsLong();
        drawnStep = step;
        String line = line();
        if (isTerminal) {
            if (!isPassing && !holdsLine) {
                holdsLine = true;
                Terminal.beginLine();
            }
            int columns = Terminal.columns() - 1;
            String shown = line.length() > columns ? line.substring(0, columns) : line;
            out.print("\r" + shown + " ".repeat(Math.max(0, width - shown.length())));
            width = shown.length();
        } else {
            out.println(line);
        }
        out.flush();
    }

    /** Erases the bar in a terminal until it is drawn again, so that something else can be printed. */
    public synchronized void erase() {
        clear();
        out.flush();
    }

    private void clear() {
        if (isTerminal && width > 0) {
            out.print("\r" + " ".repeat(width) + "\r");
            width = 0;
        }
    }

    private String line() {
        StringBuilder line = new StringBuilder(title.isEmpty() ? "" : title + ": ");
        if (total >= 0) {
            int done = total == 0 ? CELLS : (int) (CELLS * (double) Math.min(step, total) / total);
            line.append(countsBytes ? ByteUnits.text(step) + " of " + ByteUnits.text(total) : step + "/" + total);
            line.append(" [")
                    .append("#".repeat(done))
                    .append("-".repeat(CELLS - done))
                    .append(']');
        } else if (step > 0) {
            line.append(countsBytes ? ByteUnits.text(step) : step + " steps");
        }
        line.append(values.entrySet().stream()
                .map(value -> " " + value.getKey() + " " + value.getValue())
                .collect(Collectors.joining(",")));
        if (rate.isKnown()) {
            line.append(", ")
                    .append(countsBytes ? ByteUnits.text((long) rate.units()) : rateText(rate.units()) + " " + unit);
            line.append("/s");
        }
        boolean hasCount = line.length() > 0 && !line.toString().endsWith(": ");
        return line.append(hasCount ? ", " : "").append(timeText()).toString();
    }

    private String timeText() {
        double seconds = (clock.getAsLong() - begun) / 1e9;
        if (total >= 0 && step < total && rate.isKnown()) {
            return time(rate.secondsFor(total - step)) + " left";
        }
        return time(seconds) + " passed";
    }

    private static String rateText(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
    }

    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size != 0 && (size < 1e-3 || size >= 1e6) ? "%.3e" : "%.4f", value);
    }

    private static String time(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /** Draws the last state, and ends the line. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        if (isPassing) {
            erase();
        } else {
            if (step != drawnStep) {
                print();
            }
            if (isTerminal) {
                out.println();
                out.flush();
            }
        }
        isClosed = true;
        if (holdsLine) {
            Terminal.endLine();
        }
    }
}
