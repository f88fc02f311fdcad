package dev.outpost.client;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Message;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages that wait to be sent, in order. Bytes go out when there are enough of them, when somebody waits for an
 * answer, or after a short linger: never one frame a message unless one message is all there is.
 */
final class Outbox {
    private static final int ENOUGH_BYTES = 32 << 10;
    private static final int MAX_BATCH_BYTES = 1 << 20;
    private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> messages = new ArrayDeque<>();
    private long bytes;
    private boolean urgent;
    private boolean closed;

    /** The answer is how many bytes the message takes. */
    int add(Message message, boolean isUrgent) {
        byte[] encoded = message.encode();
        lock.lock();
        try {
            messages.add(encoded);
            bytes += encoded.length;
            urgent |= isUrgent;
            changed.signalAll();
            return encoded.length;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that wait. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** The next payload, once it is worth sending; null when the outbox is closed and empty. */
    byte[] take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (messages.isEmpty() && !closed) {
                changed.await();
            }
            linger();
            return messages.isEmpty() ? null : batch();
        } finally {
            lock.unlock();
        }
    }

    /** Lets what is there go out, and nothing more come in after it. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void linger() throws InterruptedException {
        long nanos = LINGER_NANOS;
        while (!urgent && !closed && bytes < ENOUGH_BYTES && nanos > 0) {
            nanos = changed.awaitNanos(nanos);
        }
    }

    private byte[] batch() {
        ByteWriter batch = new ByteWriter((int) Math.min(bytes, MAX_BATCH_BYTES));
        do {
            byte[] next = messages.poll();
            bytes -= next.length;
            batch.bytes(next);
        } while (!messages.isEmpty() && batch.size() + messages.peek().length <= MAX_BATCH_BYTES);
        urgent &= !messages.isEmpty();
        return batch.toByteArray();
    }

    /** Drops everything: the session is over. */
    void discard() {
        lock.lock();
        try {
            messages.clear();
            bytes = 0;
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
