package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.QuotaResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The changes of quota counters that a transaction must still store. The machines of an organisation share a few
 * counters, and a changed counter is locked until its transaction ends. So a transaction inserts its changes as rows,
 * with one statement before it commits, and {@link #fold} adds them to the counters later. Only the thread of the
 * transaction uses it.
 */
public final class QuotaCounts implements Sql.Pending {
    private static final String CHANGES = "unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])"
            + " AS n (organisation, project, resource, gpu, change)";

    private final Map<Key, Long> changes = new HashMap<>();

    private record Key(String organisation, String project, QuotaResource resource, String gpu) {}

    private record Change(Key key, long by) {}

    /** Returns the changes of a transaction. */
    static QuotaCounts of(Sql sql) {
        return sql.pending(QuotaCounts.class, QuotaCounts::new);
    }

    /** Adds a request's machines and GPUs, times the sign. */
    void add(Request request, int sign) {
        for (Key gpus : keys(request, QuotaResource.GPUS)) {
            changes.merge(gpus, (long) sign * request.allGpus(), Long::sum);
        }
        for (Key machines : keys(request, QuotaResource.MACHINES)) {
            changes.merge(machines, (long) sign * request.members(), Long::sum);
        }
    }

    private static List<Key> keys(Request request, QuotaResource resource) {
        String organisation = request.organisation();
        String project = request.project();
        return List.of(
                new Key(organisation, QuotaRows.ALL, resource, QuotaRows.ALL),
                new Key(organisation, QuotaRows.ALL, resource, request.gpu()),
                new Key(organisation, project, resource, QuotaRows.ALL),
                new Key(organisation, project, resource, request.gpu()));
    }

    /** Stores the changes, without waiting for other transactions. */
    @Override
    public void store(Sql sql) {
        changes.values().removeIf(by -> by == 0);
        if (!changes.isEmpty()) {
            sql.update(
                    "INSERT INTO quota_changes (organisation, project, resource, gpu, change) SELECT * FROM " + CHANGES,
                    values(changes));
            changes.clear();
        }
    }

    /**
     * Locks the counters that a request is checked against until the end of the transaction, and brings them up to date. So requests of one
     * organisation are checked one after the other, even at different replicas.
     */
    static void lock(Sql sql, Request request) {
        Map<Key, Long> counters = new HashMap<>();
        keys(request, QuotaResource.GPUS).forEach(key -> counters.put(key, 0L));
        keys(request, QuotaResource.MACHINES).forEach(key -> counters.put(key, 0L));
        fold(sql, request.organisation(), counters);
    }

    /** Adds the stored changes of an organisation to its counters, which stay locked until the end of the transaction. */
    static void fold(Sql sql, String organisation) {
        fold(sql, organisation, new HashMap<>());
    }

    private static void fold(Sql sql, String organisation, Map<Key, Long> counters) {
        of(sql).store(sql);
        sql.one(
                "SELECT pg_advisory_xact_lock(hashtextextended('outpost quotas of ' || ?, 0)) IS NULL AS is_locked",
                Boolean.class,
                organisation);
        taken(sql, organisation).forEach(change -> counters.merge(change.key(), change.by(), Long::sum));
        if (!counters.isEmpty()) {
            count(sql, counters);
        }
    }

    private static List<Change> taken(Sql sql, String organisation) {
        return sql.query(
                "WITH taken AS (DELETE FROM quota_changes WHERE organisation = ? RETURNING *)"
                        + " SELECT organisation, project, resource, gpu, sum(change)::bigint AS by FROM taken"
                        + " GROUP BY organisation, project, resource, gpu",
                Change.class,
                organisation);
    }

    /** Updates the existing counters, and inserts the others. */
    private static void count(Sql sql, Map<Key, Long> counters) {
        List<Key> changed = change(sql, counters);
        Map<Key, Long> missing = new HashMap<>(counters);
        changed.forEach(missing::remove);
        if (!missing.isEmpty()) {
            insert(sql, missing);
        }
    }

    private static List<Key> change(Sql sql, Map<Key, Long> counters) {
        return sql.query(
                "UPDATE quota_counters q SET used = q.used + c.change FROM ("
                        + "SELECT k.organisation, k.project, k.resource, k.gpu, n.change FROM quota_counters k JOIN "
                        + CHANGES
                        + " USING (organisation, project, resource, gpu) ORDER BY 1, 2, 3, 4 FOR UPDATE OF k) c"
                        + " WHERE (q.organisation, q.project, q.resource, q.gpu)"
                        + " = (c.organisation, c.project, c.resource, c.gpu)"
                        + " RETURNING q.organisation, q.project, q.resource, q.gpu",
                Key.class,
                values(counters));
    }

    /** Inserts counters. A replica of an older version may insert the same counters at the same time. */
    private static void insert(Sql sql, Map<Key, Long> counters) {
        sql.update(
                "INSERT INTO quota_counters AS q (organisation, project, resource, gpu, used)"
                        + " SELECT * FROM " + CHANGES + " ORDER BY 1, 2, 3, 4"
                        + " ON CONFLICT (organisation, project, resource, gpu) DO UPDATE SET used = q.used + excluded.used",
                values(counters));
    }

    private static Object[] values(Map<Key, Long> changes) {
        List<Key> keys = List.copyOf(changes.keySet());
        return new Object[] {
            texts(keys, Key::organisation),
            texts(keys, Key::project),
            texts(keys, key -> key.resource().name()),
            texts(keys, Key::gpu),
            keys.stream().map(changes::get).toArray(Long[]::new)
        };
    }

    private static String[] texts(List<Key> keys, Function<Key, String> text) {
        return keys.stream().map(text).toArray(String[]::new);
    }
}
