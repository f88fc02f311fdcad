package dev.outpost.runtime.peer;

import dev.outpost.protocol.peer.PeerMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages of one member for another one that have come and were not taken. It holds some: members are in step but for what one
 * sends ahead. Thread-safe.
 */
final class Mailbox {
    private static final int MOST_MESSAGES = 16;
    /** What may come before anybody asks for it. */
    private static final long MOST_BYTES_AHEAD = 64L << 20;

    private static final long NONE = -1;

    private final int from;
    private final int to;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<PeerMessage> messages = new ArrayDeque<>();
    /** Null while it is open. */
    private String closedBy;

    private long bytes;
    /** How many bytes the message is to have that is waited for; {@link #NONE} while none is. */
    private long wanted = NONE;

    Mailbox(int from, int to, Duration patience) {
        this.from = from;
        this.to = to;
        this.patience = patience;
    }

    void put(PeerMessage message) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            await(() -> messages.size() < MOST_MESSAGES, "member " + to + " took nothing");
            if (closedBy != null) {
                throw gone(to);
            }
            messages.add(message);
            bytes += message.elements().length;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What came before it was closed is still handed out. */
    PeerMessage take(long most) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wanted = most;
            changed.signalAll();
            await(() -> !messages.isEmpty(), "member " + from + " did not come");
            if (messages.isEmpty()) {
                throw gone(from);
            }
            changed.signalAll();
            return poll();
        } finally {
            wanted = NONE;
            lock.unlock();
        }
    }

    private PeerMessage poll() {
        PeerMessage next = messages.poll();
        if (next != null) {
            bytes -= next.elements().length;
        }
        return next;
    }

    /**
     * Waits until a message of so many bytes may come: little comes ahead, and much only once it is wanted. One that is larger
     * than what is wanted closes the mailbox.
     */
    void awaitRoom(long coming) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (closedBy == null && bytes + coming > MOST_BYTES_AHEAD && !isWanted(coming)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isWanted(long coming) {
        if (wanted == NONE || !messages.isEmpty()) {
            return false;
        }
        if (coming > wanted) {
            throw new PeerLostException("member " + from + " sends " + coming + " bytes, expected " + wanted);
        }
        return true;
    }

    /** The next message, whenever it comes; null where it is closed and none is left. */
    PeerMessage awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (messages.isEmpty() && closedBy == null) {
                changed.await();
            }
            changed.signalAll();
            return poll();
        } finally {
            lock.unlock();
        }
    }

    /** Why it is closed; null while it is open. */
    String closedBy() {
        lock.lock();
        try {
            return closedBy;
        } finally {
            lock.unlock();
        }
    }

    /** Only the first reason counts. */
    void close(String reason) {
        lock.lock();
        try {
            closedBy = closedBy == null ? reason : closedBy;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private PeerLostException gone(int member) {
        return new PeerLostException("member " + member + " is gone: " + closedBy);
    }

    private interface Reached {
        boolean holds();
    }

    private void await(Reached reached, String problem) throws InterruptedException {
        long left = patience.toNanos();
        while (!reached.holds() && closedBy == null) {
            if (left <= 0) {
                throw new PeerLostException(
                        problem + " within " + TimeUnit.NANOSECONDS.toMillis(patience.toNanos()) + " ms");
            }
            left = changed.awaitNanos(left);
        }
    }
}
