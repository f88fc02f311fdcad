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
 * Messages that wait to be sent, in order. Bytes go out when there are enough of them, when somebody waits for an
 * answer, or after a short linger: never one frame a message unless one message is all there is. That they have lingered is seen
 * when another comes, or at the session's {@linkplain #tick tick}: most are asked about within less, and to have a thread look
 * after them meanwhile would delay that by tens of microseconds.
 *
 * <p>Their order is the order of execution, so one thread at a time has a payload that is not with the lane yet: the
 * thread that sends, or one that {@linkplain #expect came} to send what it added.
 */
public final class Outbox {
    private static final int ENOUGH_BYTES = 32 << 10;
    private static final int MAX_BATCH_BYTES = 1 << 20;
    static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Told of each message. */
    private final Runnable stir;

    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> messages = new ArrayDeque<>();
    /** Looked at before every op that is recorded, and so without the lock. */
    private final SingleWriterCounter bytes = new SingleWriterCounter();

    private long firstNanos;
    private boolean urgent;
    private boolean closed;
    /** Threads that will send what they add. */
    private int expected;
    /** Whether a payload was taken and is not with the lane yet. */
    private boolean sending;

    /** @param stir called with each message, and not to block */
    public Outbox(Runnable stir) {
        this(stir, System::nanoTime);
    }

    /** @param clock in nanoseconds */
    Outbox(Runnable stir, LongSupplier clock) {
        this.stir = stir;
        this.clock = clock;
    }

    /** The answer is how many bytes the message takes. */
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

    /** Has what is here, if anything, go out now: somebody waits for what comes of it. */
    public void urge() {
        lock.lock();
        try {
            urgent |= !messages.isEmpty();
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Has what has lingered go out. To be called every few milliseconds. */
    public void tick() {
        lock.lock();
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that wait. */
    public long bytes() {
        return bytes.get();
    }

    /** The calling thread is about to add what it will {@linkplain #takeUrgent take} itself: nobody is woken for it. */
    public void expect() {
        lock.lock();
        try {
            expected++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next payload, for who was {@linkplain #expect expected}; null where nothing is urgent, or another thread is just
     * sending, which will see what is here.
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

    /** The payload is with the lane; the answer is the next one, as of {@link #takeUrgent}. */
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

    /** The lane has no room for a payload that was taken: the thread that sends may wait for it. */
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

    /** The next payload, once it is worth sending; null when the outbox is closed and empty. */
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

    /** The payload that {@link #take} answered is with the lane. */
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

    /** Wakes the thread that sends, where it has something to do. */
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

    /** Drops everything: the session is over. */
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
