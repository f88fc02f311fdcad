package dev.outpost.provider.mock;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** One lane of one direction: frames come out at the other end, on a thread of its own, when the network has carried them. */
final class Pipe {
    /** What is on its way at most; as in a router, what does not fit is lost. */
    private static final long MAX_BYTES = 64L << 20;

    private static final long OVERTAKEN_NANOS = Duration.ofMillis(3).toNanos();

    private record Parcel(long due, long order, int bytes, Runnable delivery) {}

    private final MockNetwork network;
    private final Dice dice;
    private final Consumer<byte[]> receiver;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Parcel> onTheWay =
            new PriorityQueue<>(Comparator.comparingLong(Parcel::due).thenComparingLong(Parcel::order));
    private final Thread thread;
    private long bytesOnTheWay;
    private long lineFreeAt = System.nanoTime();
    private long lastDue = lineFreeAt;
    private long nextOrder;
    private boolean stopped;

    Pipe(String name, MockNetwork network, Dice dice, Consumer<byte[]> receiver) {
        this.network = network;
        this.dice = dice;
        this.receiver = receiver;
        this.thread = Thread.ofVirtual().name(name).start(this::deliverAll);
    }

    /** Takes a frame; never blocks. */
    void put(byte[] frame) {
        lock.lock();
        try {
            Dice.Fate fate = dice.roll(frame);
            long due = carry(frame.length);
            for (int copy = 0; copy < fate.copies(); copy++) {
                add(due + (fate.overtaken() ? OVERTAKEN_NANOS : 0), frame.length, () -> receiver.accept(frame));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs something when all that was put in before has come out. */
    void afterAll(Runnable action) {
        lock.lock();
        try {
            add(lastDue, 0, action);
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is on its way. */
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

    /** Waits until nothing is being delivered any more; not from inside a delivery. */
    void join() throws InterruptedException {
        thread.join();
    }

    /** When a frame arrives that goes out now: lines carry one after the other. */
    private long carry(int bytes) {
        long now = System.nanoTime();
        long transfer = network.bytesPerSecond() == 0 ? 0 : (long) (1e9 * bytes / network.bytesPerSecond());
        lineFreeAt = Math.max(now, lineFreeAt) + transfer;
        return lineFreeAt + network.latency().toNanos();
    }

    private void add(long due, int bytes, Runnable delivery) {
        if (!stopped && bytesOnTheWay + bytes <= MAX_BYTES) {
            lastDue = Math.max(lastDue, due);
            bytesOnTheWay += bytes;
            onTheWay.add(new Parcel(due, nextOrder++, bytes, delivery));
            changed.signalAll();
        }
    }

    private void deliverAll() {
        try {
            for (Parcel next = take(); next != null; next = take()) {
                next.delivery.run();
            }
        } catch (InterruptedException neverHappens) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next parcel when it is due, or null when the pipe has stopped. */
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
                    bytesOnTheWay -= first.bytes;
                    return onTheWay.poll();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }
}
