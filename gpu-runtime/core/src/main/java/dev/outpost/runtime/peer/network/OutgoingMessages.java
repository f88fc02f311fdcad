package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.Patience;
import dev.outpost.runtime.peer.PeerLostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages that wait to be sent over a connection, in order. Its capacity is small, so that a member waits for a
 * slow connection. Thread-safe.
 */
final class OutgoingMessages {
    static final int MAX_MESSAGES = 16;

    private final int to;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<PeerMessage> messages = new ArrayDeque<>();
    /** The reason why the queue was closed; null while it is open. */
    private String closedBy;

    private boolean isBroken;

    /** @param to the rank of the member that receives the messages */
    OutgoingMessages(int to, Duration timeout) {
        this.to = to;
        this.timeout = timeout;
    }

    /**
     * Adds a message; waits for room.
     *
     * @throws PeerLostException if there is no room in time, or the queue is closed
     */
    void put(PeerMessage message) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (messages.size() >= MAX_MESSAGES && closedBy == null) {
                if (left <= 0) {
                    throw new PeerLostException(
                            "member " + to + " accepted no data within " + timeout.toMillis() + " ms");
                }
                left = Patience.awaitNanos(changed, left);
            }
            if (closedBy != null) {
                throw new PeerLostException(isBroken ? closedBy : "member " + to + " is gone: " + closedBy);
            }
            messages.add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a message if there is room, otherwise drops it. For messages that are repeated if they are lost. */
    void offer(PeerMessage message) {
        lock.lock();
        try {
            if (messages.size() < MAX_MESSAGES && closedBy == null) {
                messages.add(message);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next message; null if none waits or the group is broken. */
    PeerMessage poll() {
        lock.lock();
        try {
            changed.signalAll();
            return isBroken ? null : messages.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next message. Returns null if the queue is closed and empty, or the group is broken. */
    PeerMessage awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (messages.isEmpty() && closedBy == null) {
                changed.await();
            }
            changed.signalAll();
            return isBroken ? null : messages.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the reason why the queue is closed; null while it is open. */
    String closedBy() {
        lock.lock();
        try {
            return closedBy;
        } finally {
            lock.unlock();
        }
    }

    boolean isBroken() {
        lock.lock();
        try {
            return isBroken;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the queue. Later calls do not change the reason. */
    void close(String reason, boolean breaks) {
        lock.lock();
        try {
            if (closedBy == null) {
                closedBy = reason;
                isBroken = breaks;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
