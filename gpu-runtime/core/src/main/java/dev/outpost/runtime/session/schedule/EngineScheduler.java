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

    private final int most;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<TimeSlice> running = new ArrayList<>();
    private final List<TimeSlice> waiting = new ArrayList<>();
    private volatile boolean contended;

    /** The use of the session that has used the engine least, of those that want it. Never falls. */
    private long leastUsedNanos;

    /** @param most how many may use the engine at once */
    public EngineScheduler(int most, LongSupplier clock) {
        this.most = most;
        this.clock = clock;
    }

    /**
     * @param waitNanos counts the time spent waiting for it
     * @param usage of the engine, by the session
     * @param grant by which that is charged
     * @param beforeLeaving called before a turn is given back
     */
    public TimeSlice enter(SingleWriterLong waitNanos, EngineTimeUsage usage, GrantTimeShare grant, Runnable beforeLeaving) {
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
    public long take(TimeSlice turn) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = clock.getAsLong();
            advance(now);
            turn.raiseTo(leastUsedNanos - QUANTUM.toNanos(), now);
            return await(turn, now);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a turn when its quantum is over and waits for the next; the answer is how long. */
    public long giveWay(TimeSlice turn) throws InterruptedException {
        lock.lock();
        try {
            long now = clock.getAsLong();
            if (waiting.isEmpty() || turn.usedInTurn(now) < QUANTUM.toNanos()) {
                return 0;
            }
            stop(turn, now);
            return await(turn, now);
        } finally {
            lock.unlock();
        }
    }

    public void giveBack(TimeSlice turn) {
        lock.lock();
        try {
            long now = clock.getAsLong();
            stop(turn, now);
            startNext(now);
        } finally {
            lock.unlock();
        }
    }

    private long await(TimeSlice turn, long since) throws InterruptedException {
        turn.grant.enter();
        waiting.add(turn);
        startNext(since);
        try {
            while (!running.contains(turn)) {
                turn.granted.await();
            }
            return turn.startedNanos - since;
        } catch (InterruptedException ended) {
            leave(turn);
            throw ended;
        }
    }

    private void leave(TimeSlice turn) {
        long now = clock.getAsLong();
        if (waiting.remove(turn)) {
            turn.grant.leave();
        } else {
            stop(turn, now);
        }
        startNext(now);
    }

    private void stop(TimeSlice turn, long now) {
        turn.usage.ends(now);
        advance(now);
        running.remove(turn);
        turn.grant.leave();
    }

    private void startNext(long now) {
        while (running.size() < most && !waiting.isEmpty()) {
            TimeSlice next = Collections.min(waiting, Comparator.comparingLong(turn -> turn.usedNanos(now)));
            waiting.remove(next);
            running.add(next);
            next.begins(now);
            next.granted.signal();
        }
        contended = !waiting.isEmpty();
    }

    private void advance(long now) {
        long least = Long.MAX_VALUE;
        for (TimeSlice turn : running) {
            least = Math.min(least, turn.usedNanos(now));
        }
        for (TimeSlice turn : waiting) {
            least = Math.min(least, turn.usedNanos(now));
        }
        if (least != Long.MAX_VALUE) {
            leastUsedNanos = Math.max(leastUsedNanos, least);
        }
    }
}
