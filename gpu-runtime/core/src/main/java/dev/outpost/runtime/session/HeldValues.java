package dev.outpost.runtime.session;

import dev.outpost.runtime.session.memory.HeldMemory;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.runtime.session.schedule.TimeSlice;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The values of a state that is being written. The writing thread releases each value when it has read the elements. If memory is missing
 * meanwhile, the worker waits for that, because values that the program has freed may still be held here. Thread-safe.
 */
final class HeldValues implements HeldMemory {
    private final Thread worker = Thread.currentThread();
    private final TimeSlice slice;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Queue<Value> held = new ArrayDeque<>();

    /** Called by the worker thread. */
    HeldValues(TimeSlice slice) {
        this.slice = slice;
    }

    void hold(Value value) {
        lock.lock();
        try {
            held.add(value.retain());
        } finally {
            lock.unlock();
        }
    }

    /** Releases the first value that is still held. */
    void releaseNext() {
        lock.lock();
        try {
            held.remove().release();
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Releases all values that are still held. */
    void close() {
        lock.lock();
        try {
            while (!held.isEmpty()) {
                releaseNext();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Only the worker waits, because no thread of the network may wait for a store. */
    @Override
    public boolean awaitRelease() {
        if (Thread.currentThread() != worker) {
            return false;
        }
        try {
            return awaitChange();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean awaitChange() throws InterruptedException {
        boolean isAny;
        slice.release();
        lock.lock();
        try {
            int before = held.size();
            isAny = before > 0;
            while (held.size() == before && before > 0) {
                released.await();
            }
        } finally {
            lock.unlock();
        }
        slice.take();
        return isAny;
    }
}
