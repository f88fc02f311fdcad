package dev.outpost.client.link;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Does something every few milliseconds while a session is used, and a few times a second while it rests: a thread that wakes up 200
 * times a second for nothing keeps a processor from sleeping.
 */
public final class SessionTicker {
    static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    static final long RESTING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Ticks without a stir before it rests: a tenth of a second. */
    static final int QUIET_TICKS = 20;

    private final BooleanSupplier tick;
    private final LongConsumer park;
    private volatile long restingNanos = RESTING_NANOS;
    private final AtomicBoolean stirred = new AtomicBoolean(true);
    private volatile Thread resting;

    /** @param tick is done again and again; whether it is soon to be done again, although nothing stirs */
    public SessionTicker(BooleanSupplier tick) {
        this(tick, LockSupport::parkNanos);
    }

    /** @param park sleeps for so many nanoseconds, or until the thread is unparked or interrupted */
    public SessionTicker(BooleanSupplier tick, LongConsumer park) {
        this.tick = tick;
        this.park = park;
    }

    /** It is to be done at least that often. */
    public void atLeastEvery(long nanos) {
        restingNanos = Math.clamp(nanos, BUSY_NANOS, restingNanos);
    }

    /** Something goes on: from now on it is done every few milliseconds. Cheap, and may be called by any thread. */
    public void stir() {
        if (!stirred.get()) {
            stirred.set(true);
        }
        Thread sleeper = resting;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Ticks until that holds, or the thread is interrupted. */
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
        // A thread that wakes it behind this line sees the thread; one that did before is seen here.
        if (!stirred.get()) {
            park.accept(restingNanos);
        }
        resting = null;
    }
}
