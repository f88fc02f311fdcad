package dev.outpost.backend.store;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.PoolStateMachine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The table of pools, and their members among the machines. */
public final class PoolRows {
    /** The priority of members in the queue, which is below the priority of every request. */
    private static final int LAST = -1_000_000;

    private static final String OF_POOL = " WHERE organisation = '" + Pool.ORGANISATION + "' AND project = ?";

    private static final String WRITTEN =
            "version, gpu, min, max, idle, lease, paused, failures, retry_at, seen_at, text";

    private PoolRows() {}

    public static Optional<Pool> find(Sql sql, String name) {
        return sql.one("SELECT * FROM pools WHERE name = ?", Pool.class, name);
    }

    public static Optional<Pool> lock(Sql sql, String name) {
        return sql.one("SELECT * FROM pools WHERE name = ? FOR UPDATE", Pool.class, name);
    }

    /** Returns the pools after a name, ordered by name. */
    public static List<Pool> page(Sql sql, String after, int limit) {
        return sql.query("SELECT * FROM pools WHERE name > ? ORDER BY name LIMIT ?", Pool.class, after, limit);
    }

    /** The name of the loop for pools in {@link RowFailures}. */
    public static final String LOOP = "pools";

    /** Locks a due pool that no other replica has locked until the end of the transaction, and returns its name. */
    public static Optional<String> lockDue(Sql sql) {
        return sql.one(
                "SELECT name FROM pools WHERE due_at <= (SELECT outpost_now()) AND "
                        + RowFailures.notPaused(LOOP, "name")
                        + " ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED",
                String.class);
    }

    /** Inserts a pool. Returns false if the name is taken. */
    public static boolean insert(Sql sql, Pool pool, Instant due) {
        TenantRows.addProject(sql, Pool.ORGANISATION, pool.name(), LAST);
        return sql.insert(
                        "pools",
                        Columns.of(pool, "name, " + WRITTEN).and("due_at", due),
                        "ON CONFLICT (name) DO NOTHING")
                == 1;
    }

    /** Writes a row that this transaction has locked. */
    public static void update(Sql sql, Pool pool, Instant due) {
        sql.change("pools", Columns.of(pool, WRITTEN).and("due_at", due), "name = ?", pool.name());
    }

    public static void delete(Sql sql, String name) {
        sql.update("DELETE FROM pools WHERE name = ?", name);
    }

    /**
     * Makes a pool due immediately, after it lost a member. Does nothing if another transaction has locked the pool's
     * row: that transaction either makes the pool due too, or works on the pool, which is due again soon after.
     */
    public static void due(Sql sql, String name) {
        sql.update(
                "UPDATE pools SET due_at = outpost_now() WHERE name = ("
                        + "SELECT name FROM pools WHERE name = ? AND due_at > outpost_now() FOR UPDATE SKIP LOCKED)",
                name);
    }

    // ---- members

    /** Returns the machines of a pool that have not ended and are not ending. */
    public static List<PoolStateMachine.Member> members(Sql sql, String pool) {
        return sql.query(
                "SELECT id, phase, since FROM machines" + OF_POOL + " AND phase NOT IN ('ENDING', 'ENDED')"
                        + " ORDER BY created_at, id",
                PoolStateMachine.Member.class,
                pool);
    }

    /**
     * True if a request waits for room that members of the pool occupy. This is the case if the members are on an active cluster that has
     * the requested kind of GPU. Requests that wait for another cluster do not count.
     */
    public static boolean isCrowded(Sql sql, String pool) {
        return sql.exists(
                "SELECT 1 FROM machines w WHERE w.phase = 'CAPACITY' AND w.organisation <> '"
                        + Pool.ORGANISATION
                        + "' AND EXISTS (SELECT 1 FROM machines m JOIN clusters c ON c.name = m.cluster"
                        + " WHERE m.organisation = '" + Pool.ORGANISATION + "' AND m.project = ?"
                        + " AND m.phase NOT IN ('ENDING', 'ENDED') AND c.state = 'ACTIVE' AND c.trouble IS NULL"
                        + " AND (cardinality(c.gpus) = 0 OR w.gpu = ANY (c.gpus) OR w.gpu = 'any'"
                        + " OR EXISTS (SELECT 1 FROM unnest(c.gpus) k WHERE " + GpuKinds.familySql("k")
                        + " = w.gpu))) LIMIT 1",
                pool);
    }

    /**
     * Counts the claims from {@code since} on. Claims in the future do not count, because they were recorded before the clock was set back.
     */
    public static int claims(Sql sql, String pool, Instant since) {
        return sql.one(
                        "SELECT count(*)::int AS claims FROM machines" + OF_POOL
                                + " AND end_reason = 'CLAIMED' AND end_asked_at > ? AND end_asked_at <= (SELECT outpost_now())",
                        Integer.class,
                        pool,
                        since)
                .orElse(0);
    }

    /** Returns the reasons of the members that have ended by themselves after {@code since}. */
    public static List<String> failures(Sql sql, String pool, Instant since) {
        return sql.query(
                "SELECT text FROM machines" + OF_POOL + " AND phase = 'ENDED' AND since > ?"
                        + " AND end_reason NOT IN ('CLAIMED', 'REQUESTED') ORDER BY since",
                String.class,
                pool,
                since);
    }

    /** Returns the ready members on the clusters that this replica observes, ordered by id. */
    public static List<Machine> readyOf(Sql sql, UUID observer) {
        return sql.query(
                "SELECT m.* FROM machines m JOIN clusters c ON c.name = m.cluster WHERE m.organisation = '"
                        + Pool.ORGANISATION + "' AND m.phase = 'READY' AND c.observer = ?"
                        + " AND c.observer_until > outpost_now() ORDER BY m.id",
                Machine.class,
                observer);
    }

    /** Returns the kinds of GPU for which some pool has a member that can be claimed. */
    public static Set<String> readyKinds(Sql sql) {
        return Set.copyOf(sql.query(
                "SELECT DISTINCT m.gpu FROM machines m JOIN clusters c ON c.name = m.cluster WHERE m.organisation = '"
                        + Pool.ORGANISATION + "' AND m.phase = 'READY' AND c.state = 'ACTIVE' AND c.trouble IS NULL",
                String.class));
    }

    /** Locks and returns a waiting member that fits the request and that no other transaction has locked. */
    public static Optional<Machine> claim(Sql sql, Request request) {
        return member(sql, request, " FOR UPDATE OF m SKIP LOCKED");
    }

    /** Returns the member that {@link #claim} would take if no other transaction took it. */
    public static Optional<Machine> ready(Sql sql, Request request) {
        return member(sql, request, "");
    }

    private static Optional<Machine> member(Sql sql, Request request, String lock) {
        if (request.organisation().equals(Pool.ORGANISATION)
                || request.lease().isEmpty()
                || request.idle().isPresent()
                || request.allGpus() != 1) {
            return Optional.empty();
        }
        return sql.one(
                "SELECT m.* FROM machines m JOIN pools p ON p.name = m.project JOIN clusters c ON c.name = m.cluster"
                        + " WHERE m.organisation = '" + Pool.ORGANISATION + "' AND m.phase = 'READY' AND m.gpu = ?"
                        + " AND p.gpu = ? AND p.lease = ? AND c.state = 'ACTIVE' AND c.trouble IS NULL"
                        + " ORDER BY m.created_at, m.id LIMIT 1" + lock,
                Machine.class,
                request.gpu(),
                request.gpu(),
                request.lease());
    }
}
