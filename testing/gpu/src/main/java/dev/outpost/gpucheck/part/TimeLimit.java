package dev.outpost.gpucheck.part;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time limit of a part, which begins now. Thread-safe. */
public final class TimeLimit {
    private final LongSupplier clock;
    private final long start;
    private final Duration most;

    /** @param clock a clock in nanoseconds */
    public TimeLimit(Duration most, LongSupplier clock) {
        this.clock = clock;
        this.most = most;
        start = clock.getAsLong();
    }

    public static TimeLimit of(Duration most) {
        return new TimeLimit(most, System::nanoTime);
    }

    public Duration most() {
        return most;
    }

    public Duration used() {
        return Duration.ofNanos(clock.getAsLong() - start);
    }

    public boolean isOver() {
        return used().compareTo(most) >= 0;
    }
}
