package dev.outpost.client.link;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Runs a task every few milliseconds while a session is used, and a few times a second while it rests. A thread that
 * woke up 200 times a second without work would keep a processor from sleeping.
 */
public final class SessionTicker {
    static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    static final long RESTING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The number of ticks without activity before the ticker rests: a tenth of a second. */
    static final int QUIET_TICKS = 20;

    private final BooleanSupplier tick;
    private final LongConsumer park;
    private volatile long restingNanos = RESTING_NANOS;
    private final AtomicBoolean stirred = new AtomicBoolean(true);
    private volatile Thread resting;

    /** @param tick the task; returns true if it must run again soon even without activity */
    public SessionTicker(BooleanSupplier tick) {
        this(tick, LockSupport::parkNanos);
    }

    /**
     * @param tick the task; returns true if it must run again soon even without activity
     * @param park sleeps for this many nanoseconds, or until the thread is unparked or interrupted
     */
    public SessionTicker(BooleanSupplier tick, LongConsumer park) {
        this.tick = tick;
        this.park = park;
    }

    /** Sets the longest interval between ticks. */
    public void atLeastEvery(long nanos) {
        restingNanos = Math.clamp(nanos, BUSY_NANOS, restingNanos);
    }

    /** Reports activity, so that the task runs every few milliseconds from now on. Cheap; any thread may call it. */
    public void stir() {
        if (!stirred.get()) {
            stirred.set(true);
        }
        Thread sleeper = resting;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Ticks until {@code isOver} holds, or until the thread is interrupted. */
    public void run(BooleanSupplier isOver) {
        int quiet = 0;
        while (!isOver.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            if (quiet < QUIET_TICKS) {
                park.accept(BUSY_NANOS);
            } else {
                rest();
            }
            boolean isStirred = stirred.getAndSet(false);
            quiet = tick.getAsBoolean() || isStirred ? 0 : quiet + 1;
        }
    }

    private void rest() {
        resting = Thread.currentThread();
        // A thread that stirs after this line sees {@code resting} and unparks it. A thread that stirred before has set
        // the flag.
        if (!stirred.get()) {
            park.accept(restingNanos);
        }
        resting = null;
    }
}
