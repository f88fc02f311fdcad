package dev.outpost.client.waits;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long the program waits for a machine that gets no nearer to what is waited for. Time in which the machine is not there yet does
 * not count. Thread-safe.
 */
public final class ReadLimit {
    /** How often in the time of the limit it is asked whether that is over. */
    private static final int CHECKS = 64;

    private final Duration limit;
    private final LongSupplier clock;
    private volatile boolean isMachineThere;
    /** When the machine last got nearer to answers. */
    private volatile long progressNanos;

    /** @param clock a monotonic clock in nanoseconds */
    public ReadLimit(Duration limit, LongSupplier clock) {
        this.limit = limit;
        this.clock = clock;
        this.progressNanos = clock.getAsLong();
    }

    /** The machine is there, for the first time or on another connection. */
    public void machineIsThere() {
        progressed();
        isMachineThere = true;
    }

    /** The machine has done something that answers wait for. */
    public void progressed() {
        progressNanos = clock.getAsLong();
    }

    public long now() {
        return clock.getAsLong();
    }

    /** After how long it should be asked again whether the time is over. */
    public long checkNanos() {
        return Math.max(1, limit.toNanos() / CHECKS);
    }

    /** Whether what was begun, or came nearer by itself, at that time has waited for too long. */
    public boolean isOver(long sinceNanos) {
        return isOverByItself(Math.max(sinceNanos, progressNanos));
    }

    /** As {@link #isOver}, whatever else the machine has done. */
    public boolean isOverByItself(long sinceNanos) {
        return isMachineThere && clock.getAsLong() - sinceNanos > limit.toNanos();
    }

    /** Fails, in the name of the op that the user called, where a wait that began at that time has taken too long. */
    public void require(long sinceNanos) {
        if (isOver(sinceNanos)) {
            throw exceeded(SourceLine.calledOp() + ": the machine did nothing", "");
        }
    }

    /**
     * @param what was waited for in vain, as {@code read: nothing came}
     * @param detail more about it, as {@code , 3 bytes are here}
     */
    public OutpostException exceeded(String what, String detail) {
        return new OutpostException(
                FaultKind.EXTERNAL,
                what + " for " + limit.toSeconds() + " s" + detail
                        + "; the machine hangs, or needs longer than MachineOptions.readLimit");
    }
}
