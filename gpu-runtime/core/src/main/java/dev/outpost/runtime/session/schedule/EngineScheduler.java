package dev.outpost.runtime.session.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The turns of sessions at the engine. Where more sessions want one than may have one at once, the one that has used
 * it least by the weight of its grant goes next, and a session with a turn gives way between two instructions once a
 * quantum is over. A session that comes back after a pause begins a quantum behind the others at most: not having used
 * the engine earns nothing more.
 *
 * <p>Invariant: while somebody waits, all turns are taken.
 */
public final class EngineScheduler {
    public static final Duration QUANTUM = Duration.ofMillis(20);

    private final int max;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<TimeSlice> running = new ArrayList<>();
    private final List<TimeSlice> waiting = new ArrayList<>();
    private volatile boolean contended;

    /** The use of the session that has used the engine least, of those that want it. Never falls. */
    private long minUsedNanos;

    /** @param max how many may use the engine at once */
    public EngineScheduler(int max, LongSupplier clock) {
        this.max = max;
        this.clock = clock;
    }

    /**
     * @param waitNanos counts the time spent waiting for it
     * @param usage of the engine, by the session
     * @param grant by which that is charged
     * @param beforeLeaving called before a turn is given back
     */
    public TimeSlice enter(
            SingleWriterLong waitNanos, EngineTimeUsage usage, GrantTimeShare grant, Runnable beforeLeaving) {
        return new TimeSlice(this, lock.newCondition(), waitNanos, usage, grant, beforeLeaving);
    }

    /** Whether somebody waits. One volatile read: asked between any two instructions. */
    public boolean isContended() {
        return contended;
    }

    /** How many wait. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether any session has a turn. */
    public boolean isAnyTaken() {
        lock.lock();
        try {
            return !running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a turn; the answer is how long. */
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

    /** Ends a turn when its quantum is over and waits for the next; the answer is how long. */
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
