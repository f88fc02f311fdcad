package dev.outpost.provider.k8s.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The resources that are held for a machine: its watches, the connection, the machine, the client. They are closed in the reverse
 * order.
 */
public final class ShutdownRegistry implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Held> held = new ArrayDeque<>();

    /** A resource whose close never throws, because its caller could not handle a failure. */
    @FunctionalInterface
    public interface Held {
        void release();
    }

    /** Adds a resource, which will be closed first. */
    public void add(Held thing) {
        lock.lock();
        try {
            held.push(thing);
        } finally {
            lock.unlock();
        }
    }

    /** Closes all resources. A concurrent second call waits for the first. Closing again does nothing. */
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
