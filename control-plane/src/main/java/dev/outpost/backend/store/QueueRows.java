package dev.outpost.backend.store;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.Limit;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The numbers that the queue decides by. Accounts are {@code organisation/project}. */
public final class QueueRows {
    private static final long LOCK = 0x6f7574706f7374L;

    /** Joins rows {@code u} with the accounts that are looked for. */
    private static final String OF_ACCOUNTS = " JOIN unnest(?::text[], ?::text[]) AS a (organisation, project)"
            + " ON u.organisation = a.organisation AND u.project = a.project";

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

    /** The use of each of these accounts within a time before now. */
    public static Map<String, List<FairShare.Use>> uses(
            Sql sql, Collection<String> accounts, Instant now, Duration memory) {
        return sql
                .query(
                        "SELECT u.organisation || '/' || u.project AS account, gpus, from_at, coalesce(to_at, ?) AS until"
                                + " FROM usages u" + OF_ACCOUNTS + " WHERE to_at IS NULL OR to_at > ?",
                        row -> Map.entry(
                                row.text("account"),
                                new FairShare.Use(row.time("from_at"), row.time("until"), row.integer("gpus"))),
                        now,
                        part(accounts, 0),
                        part(accounts, 1),
                        now.minus(memory))
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /** How many GPUs each of these accounts has now, or is about to have. */
    public static Map<String, Integer> held(Sql sql, Collection<String> accounts) {
        return sql
                .query(
                        "SELECT u.organisation || '/' || u.project AS account, sum(gpus * members)::int AS held FROM machines u"
                                + OF_ACCOUNTS
                                + " WHERE phase IN ('ADMITTED', 'NODE', 'IMAGE', 'BOOT', 'BIND', 'READY', 'LOST')"
                                + " GROUP BY 1",
                        row -> Map.entry(row.text("account"), row.integer("held")),
                        part(accounts, 0),
                        part(accounts, 1))
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

    private static String[] part(Collection<String> accounts, int part) {
        return accounts.stream().map(account -> account.split("/", 2)[part]).toArray(String[]::new);
    }
}
