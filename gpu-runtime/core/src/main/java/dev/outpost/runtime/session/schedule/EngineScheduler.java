package dev.outpost.runtime.session.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Schedules the sessions on the engine. If more sessions need a time slice than may run at the same time, the session with the least use,
 * weighted by its grant, gets the next slice. A session with a slice releases it between two instructions when its quantum is over. After a
 * pause, a session's use counts as at most one quantum less than the use of the other sessions, so it cannot save up unused time.
 *
 * <p>Invariant: while a session waits, all slices are taken.
 */
public final class EngineScheduler {
    public static final Duration QUANTUM = Duration.ofMillis(20);

    private final int max;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<TimeSlice> running = new ArrayList<>();
    private final List<TimeSlice> waiting = new ArrayList<>();
    private volatile boolean contended;

    /** The lowest weighted use among the sessions that have or wait for a slice, in nanoseconds. Never decreases. */
    private long minUsedNanos;

    /** @param max the maximum number of sessions that may use the engine at once */
    public EngineScheduler(int max, LongSupplier clock) {
        this.max = max;
        this.clock = clock;
    }

    /**
     * Creates the session's time slice.
     *
     * @param waitNanos counts the time spent waiting for slices
     * @param usage the session's use of the engine
     * @param grant the account that is charged for the use
     * @param beforeLeaving called before a slice is released
     */
    public TimeSlice enter(
            SingleWriterLong waitNanos, EngineTimeUsage usage, GrantTimeShare grant, Runnable beforeLeaving) {
        return new TimeSlice(this, lock.newCondition(), waitNanos, usage, grant, beforeLeaving);
    }

    /**
     * Returns true if a session waits. Needs only one volatile read, because it is called between any two
     * instructions.
     */
    public boolean isContended() {
        return contended;
    }

    /** Returns the number of waiting sessions. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if any session has a slice. */
    public boolean isAnyTaken() {
        lock.lock();
        try {
            return !running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a slice. Returns the number of nanoseconds waited. */
    public long take(TimeSlice slice) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = clock.getAsLong();
            advance(now);
            slice.raiseTo(minUsedNanos - QUANTUM.toNanos(), now);
            return await(slice, now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a slice if its quantum is over and other sessions wait, and waits for the next slice. Returns the number
     * of nanoseconds waited.
     */
    public long giveWay(TimeSlice slice) throws InterruptedException {
        lock.lock();
        try {
            long now = clock.getAsLong();
            if (waiting.isEmpty() || slice.usedInTurn(now) < QUANTUM.toNanos()) {
                return 0;
            }
            stop(slice, now);
            return await(slice, now);
        } finally {
            lock.unlock();
        }
    }

    public void release(TimeSlice slice) {
        lock.lock();
        try {
            long now = clock.getAsLong();
            stop(slice, now);
            startNext(now);
        } finally {
            lock.unlock();
        }
    }

    private long await(TimeSlice slice, long since) throws InterruptedException {
        slice.grant.enter();
        waiting.add(slice);
        startNext(since);
        try {
            while (!running.contains(slice)) {
                slice.granted.await();
            }
            return slice.startedNanos - since;
        } catch (InterruptedException interrupted) {
            leave(slice);
            throw interrupted;
        }
    }

    private void leave(TimeSlice slice) {
        long now = clock.getAsLong();
        if (waiting.remove(slice)) {
            slice.grant.leave();
        } else {
            stop(slice, now);
        }
        startNext(now);
    }

    private void stop(TimeSlice slice, long now) {
        slice.usage.ends(now);
        advance(now);
        running.remove(slice);
        slice.grant.leave();
    }

    private void startNext(long now) {
        while (running.size() < max && !waiting.isEmpty()) {
            TimeSlice next = Collections.min(waiting, Comparator.comparingLong(slice -> slice.usedNanos(now)));
            waiting.remove(next);
            running.add(next);
            next.begins(now);
            next.granted.signal();
        }
        contended = !waiting.isEmpty();
    }

    private void advance(long now) {
        long min = Long.MAX_VALUE;
        for (TimeSlice slice : running) {
            min = Math.min(min, slice.usedNanos(now));
        }
        for (TimeSlice slice : waiting) {
            min = Math.min(min, slice.usedNanos(now));
        }
        if (min != Long.MAX_VALUE) {
            minUsedNanos = Math.max(minUsedNanos, min);
        }
    }
}
