package dev.outpost.client.start;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * One line on a terminal that shows the present step of a start, its time, and the total time: {@code k8s-A100: pulling the image (1.2 GB)
 * 12 s, 40 s in all}. A quick start shows nothing. The line is erased when the start is over.
 */
public final class ProgressLine implements StartView {
    /** The minimum duration of a wait that is shown. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private static final String WIPE = "\r\u001b[K";
    private static final String ELLIPSIS = "…";

    private final String machine;
    private final PrintStream out;
    private final int columns;
    private final LongSupplier clock;
    private final long start;
    private final ReentrantLock lock = new ReentrantLock();
    private MachinePhase phase;
    private String doing = "starting";
    private long since;
    private boolean visible;
    private boolean isOver;

    /**
     * @param columns the terminal's width; a longer line could not be erased
     * @param clock a monotonic clock in nanoseconds; the time runs from here
     */
    public ProgressLine(String machine, PrintStream out, int columns, LongSupplier clock) {
        this.machine = machine;
        this.out = out;
        this.columns = columns;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.since = start;
    }

    @Override
    public void step(ProvisioningStep step) {
        lock.lock();
        try {
            if (step.phase() != phase) {
                phase = step.phase();
                since = clock.getAsLong();
            }
            doing = step.text();
            draw();
        } finally {
            lock.unlock();
        }
    }

    /** Updates the time on the line. Called twice a second. */
    public void tick() {
        lock.lock();
        try {
            draw();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end() {
        lock.lock();
        try {
            isOver = true;
            if (visible) {
                visible = false;
                out.print(WIPE);
                out.flush();
                Terminal.endLine();
            }
        } finally {
            lock.unlock();
        }
    }

    private void draw() {
        Duration total = elapsed(start);
        if (!isOver && total.compareTo(TIMEOUT) > 0) {
            if (!visible) {
                visible = true;
                Terminal.beginLine();
            }
            out.print(WIPE + line(total));
            out.flush();
        }
    }

    /** Returns the line. It always shows the times, and shortens the text of the step if necessary. */
    private String line(Duration total) {
        String times = " " + Seconds.whole(elapsed(since)) + ", " + Seconds.whole(total) + " in all";
        String words = machine + ": " + doing;
        int room = Math.max(columns - 1 - times.length(), 1);
        return (words.length() <= room ? words : words.substring(0, room - 1) + ELLIPSIS) + times;
    }

    private Duration elapsed(long from) {
        return Duration.ofNanos(clock.getAsLong() - from);
    }
}
