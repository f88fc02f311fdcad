package dev.outpost.runtime.session.schedule;

import java.util.concurrent.locks.Condition;

/** A session's place in the order of {@link EngineScheduler}. Its methods are the session's worker's alone. */
public final class TimeSlice {
    private final EngineScheduler scheduler;
    private final SingleWriterLong waitNanos;
    private final Runnable beforeLeaving;
    private boolean held;

    /** Signalled when the turn comes. Like the following, guarded by the lock of {@link EngineScheduler}. */
    final Condition granted;

    final EngineTimeUsage usage;
    final GrantTimeShare grant;
    long startedNanos;
    private long usedAtStart;
    /** The charges so far, and the usage that they cover. */
    private double chargedNanos;

    private long chargedUsage;
    /** The use that is added to its own. */
    private long handicapNanos;

    /** @param beforeLeaving called before the turn is given back, without the lock */
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

    /** Waits until it is this session's turn, unless it is already. */
    public void take() throws InterruptedException {
        if (!held) {
            waitNanos.add(scheduler.take(this));
            held = true;
        }
    }

    /** Called between instructions: lets others have their turn when this one has lasted long enough. */
    public void giveWay() throws InterruptedException {
        if (held && scheduler.isContended()) {
            beforeLeaving.run();
            held = false;
            waitNanos.add(scheduler.giveWay(this));
            held = true;
        }
    }

    /** Called before anything that may wait. */
    public void release() {
        if (held) {
            beforeLeaving.run();
            held = false;
            scheduler.release(this);
        }
    }

    // ---- under the lock of all turns

    /** By the weight of its grant. */
    public long usedNanos(long now) {
        long real = usage.nanos(now);
        chargedNanos += grant.charge(real - chargedUsage);
        chargedUsage = real;
        return handicapNanos + (long) chargedNanos;
    }

    /** From here on it has used that much at least. */
    public void raiseTo(long nanos, long now) {
        handicapNanos += Math.max(0, nanos - usedNanos(now));
    }

    public void begins(long now) {
        usage.begins(now);
        startedNanos = now;
        usedAtStart = usage.nanos(now);
    }

    /** How much was used in this turn, whatever the weight. */
    public long usedInTurn(long now) {
        return usage.nanos(now) - usedAtStart;
    }
}
