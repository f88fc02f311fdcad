package dev.outpost.backend.store;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * The table of events. Sequence numbers become visible out of order. So readers order events by the number of the
 * transaction, and see only events of transactions older than all open ones. So no event can appear later at a
 * position that a reader has already passed.
 */
public final class EventRows {
    /** The columns of a cursor. */
    private static final String CURSOR = "xid::text::bigint AS transaction, seq AS sequence";

    private static final String SETTLED = "xid < ?::text::xid8";

    /**
     * The SQL of the number of the oldest transaction that writes to this database, or of the next transaction if
     * none does. {@code pg_snapshot_xmin} also counts transactions of other databases of the server, so a slow
     * transaction there would delay all events here. {@code backend_xid} has the lower 32 bits of a number, and may
     * be of a transaction that began after the snapshot.
     */
    private static final String OLDEST_OPEN = "WITH snapshot AS MATERIALIZED"
            + " (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next),"
            + " open AS (SELECT (next - backend_xid::text::bigint) & 4294967295 AS age FROM snapshot, pg_stat_activity"
            + " WHERE backend_xid IS NOT NULL AND datname = current_database())"
            + " SELECT next - coalesce((SELECT max(age) FROM open WHERE age < 2147483648), 0) AS xid FROM snapshot";

    private EventRows() {}

    /**
     * The position of a reader after this event.
     *
     * @param transaction the number of the event's transaction
     * @param sequence the sequence number of the event
     */
    public record Cursor(long transaction, long sequence) implements Comparable<Cursor> {
        public static final Cursor START = new Cursor(0, 0);

        /** Parses a text such as {@code 12-345}; empty if the text is no cursor. */
        public static Optional<Cursor> parse(String text) {
            if (!text.matches("\\d{1,18}-\\d{1,18}")) {
                return Optional.empty();
            }
            String[] parts = text.split("-");
            return Optional.of(new Cursor(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
        }

        @Override
        public int compareTo(Cursor other) {
            return transaction == other.transaction
                    ? Long.compare(sequence, other.sequence)
                    : Long.compare(transaction, other.transaction);
        }

        @Override
        public String toString() {
            return transaction + "-" + sequence;
        }
    }

    /** An event and its position in the order. */
    public record Told(Cursor cursor, String organisation, String project, UUID machine, MachineEvent event) {}

    public static void append(Sql sql, Machine machine, MachineEvent event) {
        WebhookRows.enqueue(
                sql,
                WebhookRows.Told.of(
                        machine.request().organisation(),
                        Optional.of(machine.request().project()),
                        "machine." + event.type().name().toLowerCase(Locale.ROOT),
                        event.at(),
                        "machine",
                        machine.id().toString(),
                        event.text()),
                "INSERT INTO events (at, organisation, project, machine, type, phase, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
                event.at(),
                machine.request().organisation(),
                machine.request().project(),
                machine.id(),
                event.type(),
                event.phase(),
                event.text());
    }

    /** Returns the events of one machine in the order in which they happened. The lock of its row ensures this order. */
    public static List<Told> ofMachine(Sql sql, UUID machine, long afterSequence, int limit) {
        return sql.query(
                "SELECT *, " + CURSOR + " FROM events WHERE machine = ? AND seq > ? ORDER BY seq LIMIT ?",
                Told.class,
                machine,
                afterSequence,
                limit);
    }

    /**
     * Returns the settled events of all organisations after a cursor. No event can appear later before a settled
     * event.
     */
    public static List<Told> after(Sql sql, Cursor cursor, int limit) {
        if (!hasAny(sql, cursor)) {
            return List.of();
        }
        String oldestOpen = oldestOpen(sql);
        return sql.query(
                "SELECT *, " + CURSOR + " FROM events WHERE (xid, seq) > (?::text::xid8, ?) AND " + SETTLED
                        + " ORDER BY xid, seq LIMIT ?",
                Told.class,
                Long.toString(cursor.transaction()),
                cursor.sequence(),
                oldestOpen,
                limit);
    }

    /** True if events may exist after the cursor. While none exist, a repeated read costs only this one statement. */
    private static boolean hasAny(Sql sql, Cursor cursor) {
        return sql.exists(
                "SELECT 1 FROM events WHERE (xid, seq) > (?::text::xid8, ?) ORDER BY xid, seq LIMIT 1",
                Long.toString(cursor.transaction()),
                cursor.sequence());
    }

    /**
     * Returns the number of the oldest open transaction. Events of lower transactions are settled for every later statement. A separate
     * statement reads it, because a statement sees only what was committed before it began. PostgreSQL caches the state of sessions within
     * a transaction, so this cache is dropped first.
     */
    private static String oldestOpen(Sql sql) {
        sql.query("SELECT pg_stat_clear_snapshot()", row -> true);
        return sql.one(OLDEST_OPEN, String.class).orElseThrow();
    }

    /** Returns the cursor after all events that are settled now. */
    public static Cursor newest(Sql sql) {
        return sql.one(
                        "SELECT " + CURSOR + " FROM events e WHERE " + SETTLED
                                + " ORDER BY e.xid DESC, e.seq DESC LIMIT 1",
                        Cursor.class,
                        oldestOpen(sql))
                .orElseGet(() -> horizon(sql));
    }

    /** Returns the oldest complete cursor. Some events after older cursors were removed. */
    public static Cursor horizon(Sql sql) {
        return sql.one("SELECT " + CURSOR + " FROM event_horizon", Cursor.class).orElseThrow();
    }

    /** True if a cursor names a transaction that this database has not begun, because the database was restored since. */
    public static boolean isAhead(Sql sql, Cursor cursor) {
        return sql.one(
                        "SELECT ?::text::xid8 > pg_snapshot_xmax(pg_current_snapshot()) AS ahead",
                        Boolean.class,
                        Long.toString(cursor.transaction()))
                .orElseThrow();
    }

    /** Removes some of the oldest expired events, and records the position up to which they are removed. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        String oldestOpen = oldestOpen(sql);
        Cursor horizon = horizon(sql);
        record Old(Cursor cursor, Instant at) {}
        List<Cursor> old = sql
                .query(
                        "SELECT " + CURSOR + ", at FROM events e WHERE (xid, seq) > (?::text::xid8, ?) AND " + SETTLED
                                + " ORDER BY e.xid, e.seq LIMIT ?",
                        Old.class,
                        Long.toString(horizon.transaction()),
                        horizon.sequence(),
                        oldestOpen,
                        span.limit())
                .stream()
                .takeWhile(event -> event.at().isBefore(span.before()))
                .map(Old::cursor)
                .toList();
        if (old.isEmpty()) {
            return new Retention.Step(0, span.from());
        }
        String last = Long.toString(old.getLast().transaction());
        sql.update(
                "UPDATE event_horizon SET xid = ?::text::xid8, seq = ? WHERE (xid, seq) < (?::text::xid8, ?)",
                last,
                old.getLast().sequence(),
                last,
                old.getLast().sequence());
        sql.update("DELETE FROM events WHERE seq = ANY (?)", (Object)
                old.stream().map(Cursor::sequence).toArray(Long[]::new));
        return new Retention.Step(old.size(), span.from());
    }
}
