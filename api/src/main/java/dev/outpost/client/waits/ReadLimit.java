package dev.outpost.client.waits;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The longest wait of the program for a machine that makes no progress. Time before the machine is ready does not count. Thread-safe. */
public final class ReadLimit {
    /** The number of checks within the duration of the limit. */
    private static final int CHECKS = 64;

    private final Duration limit;
    private final LongSupplier clock;
    private volatile boolean isMachineThere;
    /** The time of the machine's latest progress, in nanoseconds. */
    private volatile long progressNanos;

    /** @param clock a monotonic clock in nanoseconds */
    public ReadLimit(Duration limit, LongSupplier clock) {
        this.limit = limit;
        this.clock = clock;
        this.progressNanos = clock.getAsLong();
    }

    /** Called when the machine is ready, for the first time or on another connection. */
    public void machineIsThere() {
        progressed();
        isMachineThere = true;
    }

    /** Called when the machine has made progress that pending answers need. */
    public void progressed() {
        progressNanos = clock.getAsLong();
    }

    public long now() {
        return clock.getAsLong();
    }

    /** Returns the interval between checks of the limit. */
    public long checkNanos() {
        return Math.max(1, limit.toNanos() / CHECKS);
    }

    /** Returns true if the limit has passed since this time and since the machine's latest progress. */
    public boolean isOver(long sinceNanos) {
        return isOverByItself(Math.max(sinceNanos, progressNanos));
    }

    /** Returns true if the limit has passed since this time, even if the machine made other progress. */
    public boolean isOverByItself(long sinceNanos) {
        return isMachineThere && clock.getAsLong() - sinceNanos > limit.toNanos();
    }

    /** Fails, in the name of the op that the user called, if a wait that began at this time has taken too long. */
    public void require(long sinceNanos) {
        if (isOver(sinceNanos)) {
            throw exceeded(SourceLine.calledOp() + ": the machine did nothing", "");
        }
    }

    /**
     * Returns the exception for a wait that took too long.
     *
     * @param what the missing event, such as {@code read: nothing came}
     * @param detail more about the event, such as {@code , 3 bytes are here}
     */
    public OutpostException exceeded(String what, String detail) {
        return new OutpostException(
                FaultKind.EXTERNAL,
                what + " for " + limit.toSeconds() + " s" + detail
                        + "; the machine hangs, or needs longer than MachineOptions.readLimit");
    }
}
