package dev.outpost.backend.store;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.QuotaScope;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The numbers that admission uses for its decisions. Accounts are {@code organisation/project}. */
public final class QueueRows {
    private static final long LOCK = 0x6f7574706f7374L;

    /** The name of the admission loop in {@link RowFailures}. */
    public static final String LOOP = "admission";

    /** The maximum number of lines of one organisation that are read at a time. */
    private static final int MAX_LINES = 500;

    /** The SQL of the next line, in the order of the index {@code machines_waiting}. */
    private static final String NEXT_LINE =
            "SELECT organisation, project, gpu, phase = 'QUOTA' AS is_over FROM machines" + " WHERE "
                    + MachineRows.QUEUED + "%s ORDER BY organisation, project, gpu, phase = 'QUOTA' LIMIT 1";

    private static final String LINES = "WITH RECURSIVE lines AS ((" + NEXT_LINE.formatted("") + ") UNION ALL"
            + " SELECT n.* FROM lines l CROSS JOIN LATERAL ("
            + NEXT_LINE.formatted(" AND (organisation, project, gpu, phase = 'QUOTA')"
                    + " > (l.organisation, l.project, l.gpu, l.is_over)")
            + ") n)";

    private QueueRows() {}

    /** Tries to lock admission for this transaction, until its end. Returns false if another transaction holds the lock. */
    public static boolean tryLock(Sql sql) {
        return sql.one("SELECT pg_try_advisory_xact_lock(?) AS mine", Boolean.class, LOCK)
                .orElseThrow();
    }

    /**
     * A queue of requests of one project for one kind of GPU, ordered by age.
     *
     * @param isOverQuota true if they wait for a quota; other requests already count toward their quotas
     */
    public record Line(String organisation, String project, String gpu, boolean isOverQuota) {}

    /** Returns all lines. The effort grows with the number of lines, not with the number of requests in them. */
    public static List<Line> lines(Sql sql) {
        return sql.query(
                LINES + " SELECT organisation, project, gpu, is_over AS is_over_quota FROM (SELECT *, row_number() OVER"
                        + " (PARTITION BY organisation) AS place FROM lines) l WHERE place <= " + MAX_LINES,
                Line.class);
    }

    /**
     * Returns the first requests of each of these lines, without requests that failed recently.
     *
     * @param lines the lines, each with the number of requests to read
     */
    public static List<FairShare.Waiting> heads(Sql sql, Map<Line, Integer> lines) {
        List<Line> all = List.copyOf(lines.keySet());
        return sql.query(
                "SELECT m.*, m.phase = 'QUOTA' AS is_over_quota, coalesce(p.priority, 0) AS priority FROM unnest(?::text[], ?::text[], ?::text[], ?::text[],"
                        + " ?::bigint[]) AS l (organisation, project, gpu, is_over, most) CROSS JOIN LATERAL ("
                        + "SELECT id, organisation, project, gpu, phase, gpus * members AS gpus, created_at FROM machines"
                        + " WHERE " + MachineRows.QUEUED + " AND organisation = l.organisation AND project = l.project"
                        + " AND gpu = l.gpu AND (phase = 'QUOTA') = l.is_over::boolean AND "
                        + RowFailures.notPaused(LOOP, "machines.id::text")
                        + " ORDER BY created_at, id LIMIT l.most) m"
                        + " LEFT JOIN projects p ON p.organisation = m.organisation AND p.name = m.project",
                FairShare.Waiting.class,
                column(all, Line::organisation),
                column(all, Line::project),
                column(all, Line::gpu),
                column(all, line -> Boolean.toString(line.isOverQuota())),
                all.stream().map(line -> (long) lines.get(line)).toArray(Long[]::new));
    }

    private static String[] column(List<Line> lines, Function<Line, String> value) {
        return lines.stream().map(value).toArray(String[]::new);
    }

    /** Returns the number of GPUs that each account of these organisations has now or will get. */
    public static Map<String, Integer> held(Sql sql, Collection<String> organisations) {
        return sql.map(
                "SELECT u.organisation || '/' || u.project AS account, sum(gpus * members)::int AS held FROM machines u"
                        + " WHERE u.organisation = ANY (?)"
                        + " AND phase IN ('ADMITTED', 'NODE', 'IMAGE', 'BOOT', 'BIND', 'READY', 'LOST')"
                        + " GROUP BY 1",
                String.class,
                Integer.class,
                List.copyOf(organisations));
    }

    /** Counts the requests of a request's project that wait for the same kind of GPU and fit into their quotas. */
    public static int inLine(Sql sql, Request request) {
        return sql.one(
                        "SELECT count(*)::int AS waiting FROM machines WHERE " + MachineRows.QUEUED
                                + " AND organisation = ? AND project = ? AND gpu = ? AND (phase = 'QUOTA') = false",
                        Integer.class,
                        request.organisation(),
                        request.project(),
                        request.gpu())
                .orElseThrow();
    }

    /** Counts the requests that wait for a kind of GPU, without requests of pools. */
    public static int waiting(Sql sql, String gpu) {
        return sql.one(
                        "SELECT count(*)::int AS waiting FROM machines WHERE gpu = ? AND organisation <> '"
                                + Pool.ORGANISATION + "' AND " + MachineRows.QUEUED,
                        Integer.class,
                        gpu)
                .orElseThrow();
    }

    /** True if another request waits that could be given the same machine of a pool, and is not over a quota. */
    public static boolean isClaimedByOthers(Sql sql, UUID machine, Request request) {
        return sql.exists(
                "SELECT 1 FROM machines WHERE phase IN ('POSITION', 'CAPACITY') AND gpu = ? AND lease = ?"
                        + " AND idle IS NULL AND gpus * members = 1 AND organisation <> '" + Pool.ORGANISATION
                        + "' AND id <> ? LIMIT 1",
                request.gpu(),
                request.lease(),
                machine);
    }

    /**
     * Returns the next end of a machine that counts toward the limit for which a request waits. Machines whose end is unknown do not count.
     */
    public static Optional<Instant> nextEnd(Sql sql, Request request, QuotaLimit limit) {
        Optional<String> project =
                limit.scope() == QuotaScope.PROJECT ? Optional.of(request.project()) : Optional.empty();
        return sql.one(
                "SELECT min(ends_at) AS next FROM machines WHERE phase <> 'ENDED' AND organisation = ?"
                        + " AND (?::text IS NULL OR project = ?) AND (?::text IS NULL OR coalesce(kind, gpu) = ? OR "
                        + GpuKinds.familySql("coalesce(kind, gpu)") + " = ?)",
                Instant.class,
                request.organisation(),
                project,
                project,
                limit.gpu(),
                limit.gpu(),
                limit.gpu());
    }

    /** Returns the next time at which a machine ends by itself, by cluster. */
    public static Map<String, Instant> nextEnds(Sql sql) {
        Map<String, Instant> ends = new HashMap<>();
        sql.query(
                "SELECT cluster, min(ends_at) AS next FROM machines WHERE phase <> 'ENDED' AND cluster IS NOT NULL"
                        + " AND ends_at IS NOT NULL GROUP BY cluster",
                row -> ends.put(row.text("cluster"), row.time("next")));
        return ends;
    }
}
