package dev.outpost.provider.k8s.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The resources that are held for a machine: its watches, the connection, the machine, the client. Given back in the
 * reverse order.
 */
public final class ShutdownRegistry implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Held> held = new ArrayDeque<>();

    /** Something that is given back without a failure: who gives it back could do nothing about one. */
    @FunctionalInterface
    public interface Held {
        void release();
    }

    /** Holds it from now on, as the first to be given back. */
    public void add(Held thing) {
        lock.lock();
        try {
            held.push(thing);
        } finally {
            lock.unlock();
        }
    }

    /** A second close waits for the first. Closing again does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            releaseAll();
        } finally {
            lock.unlock();
        }
    }

    private void releaseAll() {
        if (!held.isEmpty()) {
            try {
                held.pop().release();
            } finally {
                releaseAll();
            }
        }
    }
}
