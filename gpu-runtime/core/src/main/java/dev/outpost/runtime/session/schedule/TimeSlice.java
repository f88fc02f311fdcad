package dev.outpost.runtime.session.schedule;

import java.util.concurrent.locks.Condition;

/**
 * A session's right to use the engine at times that {@link EngineScheduler} decides. Only the session's worker thread
 * calls its public methods for waiting and releasing.
 */
public final class TimeSlice {
    private final EngineScheduler scheduler;
    private final SingleWriterLong waitNanos;
    private final Runnable beforeLeaving;
    private boolean held;

    /**
     * The condition that is signalled when the session gets the slice. The lock of {@link EngineScheduler} guards this field and the
     * following ones.
     */
    final Condition granted;

    final EngineTimeUsage usage;
    final GrantTimeShare grant;
    long startedNanos;
    private long usedAtStart;
    /** The weighted charges so far, in nanoseconds. */
    private double chargedNanos;

    private long chargedUsage;
    /** The nanoseconds that are added to the session's use. */
    private long handicapNanos;

    /** @param beforeLeaving called before the slice is released, without the lock */
    public TimeSlice(
            EngineScheduler scheduler,
            Condition granted,
            SingleWriterLong waitNanos,
            EngineTimeUsage usage,
            GrantTimeShare grant,
            Runnable beforeLeaving) {
        this.scheduler = scheduler;
        this.granted = granted;
        this.waitNanos = waitNanos;
        this.usage = usage;
        this.grant = grant;
        this.beforeLeaving = beforeLeaving;
    }

    /** Waits until this session has a slice, unless it has one already. */
    public void take() throws InterruptedException {
        if (!held) {
            waitNanos.add(scheduler.take(this));
            held = true;
        }
    }

    /**
     * Releases the slice to other sessions if it has lasted long enough, and waits for the next one. Called between
     * instructions.
     */
    public void giveWay() throws InterruptedException {
        if (held && scheduler.isContended()) {
            beforeLeaving.run();
            held = false;
            waitNanos.add(scheduler.giveWay(this));
            held = true;
        }
    }

    /** Releases the slice. Called before any operation that may wait. */
    public void release() {
        if (held) {
            beforeLeaving.run();
            held = false;
            scheduler.release(this);
        }
    }

    // ---- under the lock of the scheduler

    /** Returns the use weighted by the grant, in nanoseconds. */
    public long usedNanos(long now) {
        long real = usage.nanos(now);
        chargedNanos += grant.charge(real - chargedUsage);
        chargedUsage = real;
        return handicapNanos + (long) chargedNanos;
    }

    /** Raises the use to at least this many nanoseconds. */
    public void raiseTo(long nanos, long now) {
        handicapNanos += Math.max(0, nanos - usedNanos(now));
    }

    public void begins(long now) {
        usage.begins(now);
        startedNanos = now;
        usedAtStart = usage.nanos(now);
    }

    /** Returns the unweighted nanoseconds used in this slice. */
    public long usedInTurn(long now) {
        return usage.nanos(now) - usedAtStart;
    }
}
