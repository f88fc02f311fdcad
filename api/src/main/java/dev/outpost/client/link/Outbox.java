package dev.outpost.client.link;

import dev.outpost.client.stats.SingleWriterCounter;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Message;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Messages that wait to be sent, in order. They are sent when there are enough bytes, when a caller waits for an
 * answer, or after a short linger, several messages in one frame. The end of the linger is noticed when another
 * message is added, or at the session's {@linkplain #tick tick}. For most messages a caller asks for the answer
 * before the linger ends, and a thread that watched the time would delay them by tens of microseconds.
 *
 * <p>The order of messages is the order of execution. So only one thread at a time has a payload that is not yet with the lane: the sender
 * thread, or a thread that has {@linkplain #expect announced} that it sends its own messages.
 */
public final class Outbox {
    private static final int ENOUGH_BYTES = 32 << 10;
    private static final int MAX_BATCH_BYTES = 1 << 20;
    static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Called for each message. */
    private final Runnable stir;

    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> messages = new ArrayDeque<>();
    /** The bytes of the messages. Read before every recorded op, and so without the lock. */
    private final SingleWriterCounter bytes = new SingleWriterCounter();

    private long firstNanos;
    private boolean urgent;
    private boolean closed;
    /** The number of threads that have announced that they send their own messages. */
    private int expected;
    /** True if a payload was taken and is not yet with the lane. */
    private boolean sending;

    /** @param stir called for each message; must not block */
    public Outbox(Runnable stir) {
        this(stir, System::nanoTime);
    }

    /** @param clock a clock in nanoseconds */
    Outbox(Runnable stir, LongSupplier clock) {
        this.stir = stir;
        this.clock = clock;
    }

    /** Adds a message. Returns its size in bytes. */
    public int add(Message message, boolean isUrgent) {
        byte[] encoded = message.encode();
        stir.run();
        lock.lock();
        try {
            if (closed) {
                return encoded.length;
            }
            if (messages.isEmpty()) {
                firstNanos = clock.getAsLong();
            }
            messages.add(encoded);
            bytes.add(encoded.length);
            urgent |= isUrgent;
            wake();
            return encoded.length;
        } finally {
            lock.unlock();
        }
    }

    /** Flushes now, because a caller waits for the answer. Does nothing if the outbox is empty. */
    public void urge() {
        lock.lock();
        try {
            urgent |= !messages.isEmpty();
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Sends messages that have lingered long enough. Call it every few milliseconds. */
    public void tick() {
        lock.lock();
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes that wait. */
    public long bytes() {
        return bytes.get();
    }

    /** Announces that this thread will send its own messages by {@link #takeUrgent}, so the sender thread is not woken for them. */
    public void expect() {
        lock.lock();
        try {
            expected++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the next payload for a thread that has called {@link #expect}. Returns null if nothing is urgent, or if another thread is
     * sending at this time; that thread will find these messages.
     */
    public byte[] takeUrgent() {
        lock.lock();
        try {
            expected--;
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** Reports that the payload is with the lane. Returns the next payload, like {@link #takeUrgent}. */
    public byte[] sentUrgent() {
        lock.lock();
        try {
            sending = false;
            return next();
        } finally {
            lock.unlock();
        }
    }

    private byte[] next() {
        if (urgent && !sending && !messages.isEmpty()) {
            return batch();
        }
        wake();
        return null;
    }

    /** Puts a payload back for which the lane has no room. The sender thread can wait for room. */
    public void putBack(byte[] payload) {
        lock.lock();
        try {
            sending = false;
            if (!closed) {
                messages.addFirst(payload);
                bytes.add(payload.length);
                urgent = true;
            }
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until messages are due, and returns the next payload; null if the outbox is closed and empty. */
    public byte[] take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isFree() || !isDue()) {
                changed.await();
            }
            return messages.isEmpty() ? null : batch();
        } finally {
            lock.unlock();
        }
    }

    /** Reports that the payload of {@link #take} is with the lane. */
    public void sent() {
        lock.lock();
        try {
            sending = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFree() {
        return !sending && expected == 0;
    }

    private boolean isDue() {
        return isUrged() || !messages.isEmpty() && lingerNanos() <= 0;
    }

    private boolean isUrged() {
        return urgent || closed || bytes.get() >= ENOUGH_BYTES;
    }

    private long lingerNanos() {
        return firstNanos + LINGER_NANOS - clock.getAsLong();
    }

    /** Wakes the sender thread if it has something to do. */
    private void wake() {
        if (isFree() && isDue()) {
            changed.signalAll();
        }
    }

    private byte[] batch() {
        ByteWriter batch = new ByteWriter((int) Math.min(bytes.get(), MAX_BATCH_BYTES));
        do {
            byte[] next = messages.poll();
            bytes.add(-next.length);
            batch.bytes(next);
        } while (!messages.isEmpty() && batch.size() + messages.peek().length <= MAX_BATCH_BYTES);
        urgent &= !messages.isEmpty();
        sending = true;
        return batch.toByteArray();
    }

    /** Drops all messages, because the session is over. */
    public void discard() {
        lock.lock();
        try {
            messages.clear();
            bytes.add(-bytes.get());
            sending = false;
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
