package dev.outpost.backend.api.event;

import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.EventRows.Cursor;
import dev.outpost.backend.store.EventRows.Told;
import dev.outpost.backend.store.sql.Database;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads settled events once for all watchers in this replica, and only while there are watchers. Thread-safe.
 */
public final class EventFeed {
    private static final int BATCH = 500;

    private final Database database;
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();
    private final Map<UUID, Set<Ticket>> tickets = new ConcurrentHashMap<>();

    /** The position after the last event read. Only the thread that calls {@link #tail} uses it. */
    private Optional<Cursor> position = Optional.empty();

    public EventFeed(Database database) {
        this.database = database;
    }

    /** Reads the new events. One loop calls it repeatedly. */
    public void tail() {
        if (watchers.isEmpty() && tickets.isEmpty()) {
            position = Optional.empty();
            return;
        }
        if (position.isEmpty()) {
            begin();
        }
        Cursor from = position.get();
        List<Told> batch = database.transact(sql -> EventRows.after(sql, from, BATCH));
        if (!batch.isEmpty()) {
            position = Optional.of(batch.getLast().cursor());
            watchers.forEach(watcher -> watcher.offer(batch));
            batch.forEach(told -> punch(told.machine()));
        }
    }

    /**
     * Begins at the newest event. Present watchers may have missed earlier events, so all of them read the database
     * once more.
     */
    private void begin() {
        position = Optional.of(database.transact(EventRows::newest));
        watchers.forEach(Watcher::fallBehind);
        tickets.keySet().forEach(this::punch);
    }

    private void punch(UUID machine) {
        tickets.getOrDefault(machine, Set.of()).forEach(ticket -> ticket.news.release());
    }

    /** Returns a ticket that counts the events of a machine from now on. */
    public Ticket ticket(UUID machine) {
        Ticket ticket = new Ticket(machine);
        tickets.compute(machine, (id, known) -> {
            Set<Ticket> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(ticket);
            return all;
        });
        return ticket;
    }

    /** Held by a caller that waits until a machine may have changed. */
    public final class Ticket implements AutoCloseable {
        private final UUID machine;
        private final Semaphore news = new Semaphore(0);

        private Ticket(UUID machine) {
            this.machine = machine;
        }

        /**
         * Waits at most this time for an event of the machine. Returns true if one has come since the ticket was
         * made.
         */
        public boolean await(long nanos) {
            try {
                return news.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            tickets.computeIfPresent(machine, (id, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }

    Watcher watch() {
        Watcher watcher = new Watcher();
        watchers.add(watcher);
        return watcher;
    }

    /** A receiver of all events from now on. A slow receiver must read them from the database again. */
    final class Watcher implements AutoCloseable {
        private static final int MAX = 64;

        private final Queue<List<Told>> queue = new ArrayDeque<>();
        private boolean behind = true;

        /** A permit for each change. */
        private final Semaphore news = new Semaphore(0);

        private synchronized void offer(List<Told> batch) {
            if (queue.size() == MAX) {
                fallBehind();
            } else if (!behind) {
                queue.add(batch);
                news.release();
            }
        }

        private synchronized void fallBehind() {
            queue.clear();
            behind = true;
            news.release();
        }

        /** Returns true if the watcher must read the database. After this call batches are kept, and older events are in the database. */
        synchronized boolean catchUp() {
            boolean was = behind;
            behind = false;
            return was;
        }

        /**
         * Returns the next batch; empty if no batch arrives within {@code millis}, or if the watcher must catch up
         * from the database.
         */
        List<Told> poll(long millis) {
            try {
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                while (isUpToDate() && news.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    news.drainPermits();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return next();
        }

        private synchronized boolean isUpToDate() {
            return queue.isEmpty() && !behind;
        }

        private synchronized List<Told> next() {
            List<Told> batch = queue.poll();
            return batch == null ? List.of() : batch;
        }

        @Override
        public void close() {
            watchers.remove(this);
        }
    }
}
