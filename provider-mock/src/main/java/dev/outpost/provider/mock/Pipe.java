package dev.outpost.provider.mock;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One lane in one direction. A separate thread delivers frames at the other end, in order, after the time of the
 * network. The windows of the lanes limit the number of frames on their way.
 */
final class Pipe {
    private record Parcel(long due, Runnable delivery) {}

    private final MockNetwork network;
    private final Consumer<byte[]> receiver;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Parcel> onTheWay = new ArrayDeque<>();
    private final Thread thread;
    private long lineFreeAt = System.nanoTime();
    private long lastDue = lineFreeAt;
    private boolean stopped;

    Pipe(String name, MockNetwork network, Consumer<byte[]> receiver) {
        this.network = network;
        this.receiver = receiver;
        this.thread = Thread.ofVirtual().name(name).start(this::deliverAll);
    }

    /** Adds a frame. Never blocks. */
    void put(byte[] frame) {
        lock.lock();
        try {
            add(carry(frame.length), () -> receiver.accept(frame));
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action after the delivery of all frames that were added before. */
    void afterAll(Runnable action) {
        lock.lock();
        try {
            add(lastDue, action);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the pipe, and drops the frames on their way. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            onTheWay.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no delivery is running any more. Must not be called within a delivery. */
    void join() throws InterruptedException {
        thread.join();
    }

    /** Returns the time at which a frame that is sent now arrives. Frames are carried one after the other. */
    private long carry(int bytes) {
        long now = System.nanoTime();
        long transfer = network.bytesPerSecond() == 0 ? 0 : (long) (1e9 * bytes / network.bytesPerSecond());
        lineFreeAt = Math.max(now, lineFreeAt) + transfer;
        return lineFreeAt + network.latency().toNanos();
    }

    private void add(long due, Runnable delivery) {
        if (!stopped) {
            lastDue = due;
            onTheWay.add(new Parcel(due, delivery));
            changed.signalAll();
        }
    }

    private void deliverAll() {
        try {
            for (Parcel next = take(); next != null; next = take()) {
                next.delivery.run();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next parcel when it is due, or null if the pipe has stopped. */
    private Parcel take() throws InterruptedException {
        lock.lock();
        try {
            while (!stopped) {
                Parcel first = onTheWay.peek();
                long wait = first == null ? 0 : first.due - System.nanoTime();
                if (first == null) {
                    changed.await();
                } else if (wait > 0) {
                    changed.awaitNanos(wait);
                } else {
                    return onTheWay.poll();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }
}
