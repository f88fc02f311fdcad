package dev.outpost.runtime.session.context;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Watches the instructions that sessions run, until it is closed. If the watch is not read often enough, it drops the
 * oldest instructions.
 */
public final class Watch implements AutoCloseable {
    /** The maximum number of instructions that are kept between two reads. */
    public static final int CAPACITY = 4096;

    private final Consumer<Watch> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Executed> seen = new ArrayDeque<>();
    private long dropped;

    public Watch(Consumer<Watch> onClose) {
        this.onClose = onClose;
    }

    /** Returns the instructions since the last call, oldest first. */
    public List<Executed> drain() {
        lock.lock();
        try {
            List<Executed> all = List.copyOf(seen);
            seen.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of instructions that were dropped so far. */
    public long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        onClose.accept(this);
    }

    public void add(Executed executed) {
        lock.lock();
        try {
            if (seen.size() == CAPACITY) {
                seen.poll();
                dropped++;
            }
            seen.add(executed);
        } finally {
            lock.unlock();
        }
    }
}
