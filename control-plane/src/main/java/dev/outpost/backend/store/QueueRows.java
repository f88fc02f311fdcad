package dev.outpost.backend.store;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.Limit;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The numbers that the queue decides by. Accounts are {@code organisation/project}. */
public final class QueueRows {
    private static final long LOCK = 0x6f7574706f7374L;

    private QueueRows() {}

    /** Whether this transaction is the only one that admits; the lock goes with it. */
    public static boolean tryLock(Sql sql) {
        return sql.one("SELECT pg_try_advisory_xact_lock(?) AS mine", row -> row.flag("mine"), LOCK)
                .orElseThrow();
    }

    public static Map<String, Integer> priorities(Sql sql) {
        return sql
                .query(
                        "SELECT organisation || '/' || name AS account, priority FROM projects WHERE priority <> 0",
                        row -> Map.entry(row.text("account"), row.integer("priority")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The use of each account within a time before now. */
    public static Map<String, List<FairShare.Use>> uses(Sql sql, Instant now, Duration memory) {
        return sql
                .query(
                        "SELECT organisation || '/' || project AS account, gpus, from_at, coalesce(to_at, ?) AS until FROM usages"
                                + " WHERE to_at IS NULL OR to_at > ?",
                        row -> Map.entry(
                                row.text("account"),
                                new FairShare.Use(row.time("from_at"), row.time("until"), row.integer("gpus"))),
                        now,
                        now.minus(memory))
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /** How many GPUs each account has now, or is about to have. */
    public static Map<String, Integer> held(Sql sql) {
        return sql
                .query(
                        "SELECT organisation || '/' || project AS account, sum(gpus * members)::int AS held FROM machines"
                                + " WHERE phase IN ('ADMITTED', 'NODE', 'IMAGE', 'BOOT', 'BIND', 'READY', 'LOST') GROUP BY 1",
                        row -> Map.entry(row.text("account"), row.integer("held")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** How many wait for a kind of GPU. */
    public static int waiting(Sql sql, String gpu) {
        return sql.one(
                        "SELECT count(*)::int AS waiting FROM machines WHERE gpu = ? AND organisation <> '"
                                + Pool.ORGANISATION + "' AND " + MachineRows.QUEUED,
                        row -> row.integer("waiting"),
                        gpu)
                .orElseThrow();
    }

    /** When the next machine ends by itself that holds what a request waits for. */
    public static Optional<Instant> nextEnd(Sql sql, Request request, Limit limit) {
        Optional<String> project =
                limit.scope() == Limit.Scope.PROJECT ? Optional.of(request.project()) : Optional.empty();
        return sql.one(
                        "SELECT min(ends_at) AS next FROM machines WHERE phase <> 'ENDED' AND organisation = ?"
                                + " AND (?::text IS NULL OR project = ?) AND (?::text IS NULL OR gpu = ?)",
                        row -> row.optionalTime("next"),
                        request.organisation(),
                        project,
                        project,
                        limit.gpu(),
                        limit.gpu())
                .orElseThrow();
    }

    /** When the next machine ends by itself. */
    public static Optional<Instant> nextEnd(Sql sql) {
        return sql.one(
                        "SELECT min(ends_at) AS next FROM machines WHERE phase <> 'ENDED'",
                        row -> row.optionalTime("next"))
                .orElseThrow();
    }
}
