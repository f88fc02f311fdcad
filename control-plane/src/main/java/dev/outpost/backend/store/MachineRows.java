package dev.outpost.backend.store;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.machine.Phase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads and writes the table of machines. */
public final class MachineRows {
    /** The SQL condition for machines that wait. */
    static final String QUEUED = "phase IN ('QUOTA', 'POSITION', 'CAPACITY')";

    private static final String FAILED = "end_reason IN ('FAILED', 'REFUSED', 'START_TIMEOUT')";

    /** The maximum number of failed machines that a list reads in addition to a page. */
    static final int MAX_FAILED = 50;

    private MachineRows() {}

    public static Optional<Machine> find(Sql sql, UUID id) {
        return sql.one("SELECT * FROM machines WHERE id = ?", Machine.class, id);
    }

    /** Returns the row of the machine that a cluster knows by that id. A claimed machine of a pool belongs to the row of the request. */
    public static Optional<Machine> findSupplied(Sql sql, UUID id) {
        return sql.one(
                "SELECT * FROM machines WHERE member = ? OR id = ? ORDER BY member NULLS LAST LIMIT 1",
                Machine.class,
                id,
                id);
    }

    /** Locks the row until the end of the transaction. */
    public static Optional<Machine> lock(Sql sql, UUID id) {
        return sql.one("SELECT * FROM machines WHERE id = ? FOR UPDATE", Machine.class, id);
    }

    /** Locks the row for the holder of a token; empty if the row does not have the token any more. */
    public static Optional<Machine> lock(Sql sql, UUID id, UUID token) {
        return sql.one("SELECT * FROM machines WHERE id = ? AND lock_token = ? FOR UPDATE", Machine.class, id, token);
    }

    /**
     * The machines of a cluster that have not ended.
     *
     * @param unreadable the names by which the cluster knows machines whose rows cannot be read, such as rows of a newer version
     */
    public record OfCluster(List<Machine> rows, Map<String, RuntimeException> unreadable) {}

    public static OfCluster ofCluster(Sql sql, String cluster) {
        Map<String, RuntimeException> unreadable = new HashMap<>();
        List<Machine> rows = sql
                .query(
                        "SELECT * FROM machines WHERE cluster = ? AND phase <> 'ENDED'",
                        row -> readable(row, unreadable),
                        cluster)
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return new OfCluster(rows, unreadable);
    }

    private static Optional<Machine> readable(Sql.Row row, Map<String, RuntimeException> unreadable)
            throws SQLException {
        try {
            return Optional.of(row.as(Machine.class));
        } catch (RuntimeException failure) {
            String member = row.text("member");
            unreadable.put(member == null ? row.text("id") : member, failure);
            return Optional.empty();
        }
    }

    /**
     * Returns ready machines on the clusters that this replica observes, ordered by id, after a given id. Machines of
     * worker hosts are left out, because the worker hosts ask them for reports.
     */
    public static List<Machine> readyOf(Sql sql, UUID observer, UUID after, int limit) {
        return sql.query(
                "SELECT m.* FROM machines m JOIN clusters c ON c.name = m.cluster WHERE m.phase = 'READY' AND m.id > ?"
                        + " AND c.provider <> 'worker' AND c.observer = ? AND c.observer_until > outpost_now()"
                        + " ORDER BY m.id LIMIT ?",
                Machine.class,
                after,
                observer,
                limit);
    }

    /** Returns the number of machines in each state, without ended ones. */
    public static Map<Phase.State, Long> counts(Sql sql) {
        return sql
                .map(
                        "SELECT phase, count(*) AS machines FROM machines WHERE phase <> 'ENDED' GROUP BY phase",
                        String.class,
                        Long.class)
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        counted -> Phase.valueOf(counted.getKey()).state(), Map.Entry::getValue, Long::sum));
    }

    /** Counts the machines of a request's project that failed after {@code since}, up to a limit. */
    public static int failures(Sql sql, Request request, Instant since, int limit) {
        return sql.one(
                        "SELECT count(*)::int AS failures FROM (SELECT 1 FROM machines WHERE organisation = ? AND project = ?"
                                + " AND created_at > ? AND " + FAILED + " LIMIT ?) f",
                        Integer.class,
                        request.organisation(),
                        request.project(),
                        since,
                        limit)
                .orElse(0);
    }

    /** The selection of machines in a list. */
    public enum Listed {
        /** The machines that have not ended. */
        LIVE,

        /** The machines that have not ended, and the newest {@value #MAX_FAILED} that failed within a day. */
        LIVE_AND_FAILED,

        /** All machines that are still stored. */
        ALL
    }

    /** Returns the machines of an organisation, or of one of its projects, after a position, newest first. */
    public static List<Machine> page(
            Sql sql,
            String organisation,
            Optional<String> project,
            Listed listed,
            Optional<Position> after,
            int limit) {
        Filter filter = Filter.of("organisation = ?", organisation).andIf(project, "project = ?");
        after.ifPresent(last -> filter.and("(created_at, id) < (?, ?)", last));
        return switch (listed) {
            case ALL -> page(sql, filter, limit);
            case LIVE -> page(sql, filter.and("phase <> 'ENDED'"), limit);
            case LIVE_AND_FAILED ->
                Stream.concat(
                                failed(sql, organisation, project).stream()
                                        .filter(row -> after.map(last -> last.isBefore(row))
                                                .orElse(true)),
                                page(sql, filter.and("phase <> 'ENDED'"), limit).stream())
                        .sorted(Comparator.comparing(Position::of, Position.NEWEST_FIRST))
                        .limit(limit)
                        .toList();
        };
    }

    private static List<Machine> page(Sql sql, Filter filter, int limit) {
        return sql.page(Machine.class, "SELECT * FROM machines", filter, "created_at DESC, id DESC", limit);
    }

    /** Returns the newest machines that failed within a day. The indexes {@code machines_failed_of_...} find them. */
    private static List<Machine> failed(Sql sql, String organisation, Optional<String> project) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("phase = 'ENDED' AND " + FAILED + " AND since > (SELECT outpost_now()) - interval '1 day'");
        return sql.page(Machine.class, "SELECT * FROM machines", filter, "since DESC", MAX_FAILED);
    }

    /** The position at which a page ends. */
    public record Position(Instant created, UUID id) {
        /** Compares ids by their bytes, like the database. */
        private static final Comparator<Position> NEWEST_FIRST = Comparator.comparing(Position::created)
                .thenComparing(position -> position.id().toString())
                .reversed();

        private static Position of(Machine row) {
            return new Position(row.created(), row.id());
        }

        /** True if the machine comes after this position in a list. */
        private boolean isBefore(Machine row) {
            return NEWEST_FIRST.compare(of(row), this) > 0;
        }
    }

    /**
     * Inserts a new row.
     *
     * @return false if a row with this id exists
     */
    public static boolean insert(Sql sql, Machine machine, Optional<Instant> due) {
        return sql.insert(
                        "machines",
                        Columns.of(
                                        machine,
                                        "id, epoch, version, organisation, project, owner, gpu, gpus, members, life, lease, idle,"
                                                + " phase, since, text, created_at, grants_due")
                                .and("due_at", due),
                        "ON CONFLICT (id) DO NOTHING")
                == 1;
    }

    /** Writes a row over its previous version. Keeps its lock, unless the machine has ended. */
    public static void update(Sql sql, Machine machine, long previousVersion, Optional<Instant> due) {
        int changed = sql.change(
                "machines",
                Columns.of(
                                machine,
                                "epoch, version, phase, since, text, cluster, host, port, certificate, placed_at, ends_at,"
                                        + " lost_from, end_asked_at, end_reason, grants_due, member, kind")
                        .and("due_at", due),
                "id = ? AND version = ?",
                machine.id(),
                previousVersion);
        if (changed != 1) {
            throw new IllegalStateException("machine " + machine.id() + ": its row is not of version " + previousVersion
                    + ", though it was locked");
        }
    }

    /**
     * Claims up to {@code limit} rows whose work is due and that no other replica holds, for a time. An inner query reads the clock once,
     * because PostgreSQL uses no index for a comparison with a volatile function.
     *
     * @param busy clusters whose machines are not claimed
     */
    public static List<Claimed> claim(Sql sql, UUID token, Duration time, int limit, List<String> busy) {
        return sql.query(
                "UPDATE machines SET lock_token = ?, lock_until = outpost_now() + ? * interval '1 millisecond' WHERE id IN"
                        + " (SELECT id FROM machines WHERE due_at <= (SELECT outpost_now())"
                        + " AND (lock_until IS NULL OR lock_until <= (SELECT outpost_now()))"
                        + " AND (cluster IS NULL OR cluster <> ALL (?))"
                        + " ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING id, cluster",
                Claimed.class,
                token,
                time,
                busy,
                limit);
    }

    /** A claimed row, and the cluster of its machine. */
    public record Claimed(UUID id, Optional<String> cluster) {}

    /** Makes a row due again after {@code time}, if the token still holds the row. */
    public static void pause(Sql sql, UUID id, UUID token, Duration time) {
        sql.update(
                "UPDATE machines SET lock_until = outpost_now() + ? * interval '1 millisecond' WHERE id = ? AND lock_token = ?",
                time,
                id,
                token);
    }

    /**
     * Releases a row that the token still holds, and sets its next due time, unless the row has changed since {@code
     * version}.
     */
    public static void release(Sql sql, UUID id, UUID token, long version, Optional<Instant> due) {
        sql.update(
                "UPDATE machines SET lock_token = NULL, lock_until = NULL,"
                        + " due_at = CASE WHEN version = ? THEN ?::timestamptz ELSE due_at END WHERE id = ? AND lock_token = ?",
                version,
                due,
                id,
                token);
    }
}
