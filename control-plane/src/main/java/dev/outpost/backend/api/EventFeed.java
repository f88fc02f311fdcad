package dev.outpost.backend.api;

import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads the events as they settle, once for all who wait for them in this replica, and only while somebody waits. Safe for use
 * by many threads.
 */
public final class EventFeed {
    private static final int BATCH = 500;

    private final Database database;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private int waiting;
    private long batches;
    private Optional<Cursor> position = Optional.empty();

    public EventFeed(Database database) {
        this.database = database;
    }

    /** Reads what is new; called again and again by a loop. */
    public void tail() {
        if (!isWanted()) {
            position = Optional.empty();
            return;
        }
        if (position.isEmpty()) {
            // Who waits has looked before: what came in between is for them, so they look once more.
            position = Optional.of(database.transact(EventRows::newest));
            watchers.forEach(Watcher::fallBehind);
            tell();
        }
        Cursor from = position.get();
        List<Told> batch = database.transact(sql -> EventRows.after(sql, from, BATCH));
        if (!batch.isEmpty()) {
            position = Optional.of(batch.getLast().cursor());
            watchers.forEach(watcher -> watcher.offer(batch));
            tell();
        }
    }

    private boolean isWanted() {
        lock.lock();
        try {
            return waiting > 0 || !watchers.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void tell() {
        lock.lock();
        try {
            batches++;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A number that grows with everything that happens: taken before a look, and waited for behind it. */
    long count() {
        lock.lock();
        try {
            return batches;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until anything has happened since then; false when the time is over. */
    boolean await(long since, long nanos) {
        lock.lock();
        waiting++;
        try {
            long left = nanos;
            while (batches == since && left > 0) {
                left = news.awaitNanos(left);
            }
            return batches != since;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    Watcher watch() {
        Watcher watcher = new Watcher();
        watchers.add(watcher);
        return watcher;
    }

    /** One who hears of all events from now on; one who is slow is told to read them from the database again. */
    final class Watcher implements AutoCloseable {
        private static final int MOST = 64;

        private final Queue<List<Told>> queue = new ArrayDeque<>();
        private boolean behind = true;

        private synchronized void offer(List<Told> batch) {
            if (queue.size() == MOST) {
                fallBehind();
            } else if (!behind) {
                queue.add(batch);
                notifyAll();
            }
        }

        private synchronized void fallBehind() {
            queue.clear();
            behind = true;
            notifyAll();
        }

        /** From here on batches are kept, and the database is asked for what is older. */
        synchronized boolean catchUp() {
            boolean was = behind;
            behind = false;
            return was;
        }

        /** The next batch; empty where there was none in that time, or the watcher is behind. */
        synchronized List<Told> poll(long millis) {
            try {
                if (queue.isEmpty() && !behind) {
                    wait(TimeUnit.MILLISECONDS.toMillis(millis));
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            List<Told> batch = queue.poll();
            return batch == null ? List.of() : batch;
        }

        @Override
        public void close() {
            watchers.remove(this);
        }
    }
}
