package dev.outpost.backend.store;

import dev.outpost.backend.model.Limit.Resource;
import dev.outpost.backend.model.Request;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The changes of quota counters that a transaction has still to store. The machines of an organisation share a few
 * counters, and a changed counter is locked until its transaction ends. So they are stored by one statement, as late
 * as they can be: before the commit, or when they are read. For one thread, as its transaction is.
 */
final class QuotaCounts {
    private static final String CHANGES = "unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])"
            + " AS n (organisation, project, resource, gpu, by)";

    private final Map<Key, Long> changes = new HashMap<>();

    private record Key(String organisation, String project, Resource resource, String gpu) {}

    /** Adds a request's machines and GPUs, times the sign; a sign of 0 locks the counters when they are stored. */
    void add(Request request, int sign) {
        for (String project : List.of(QuotaRows.ALL, request.project())) {
            for (String gpu : List.of(QuotaRows.ALL, request.gpu())) {
                add(new Key(request.organisation(), project, Resource.GPUS, gpu), (long) sign * request.allGpus());
                add(new Key(request.organisation(), project, Resource.MACHINES, gpu), (long) sign * request.members());
            }
        }
    }

    private void add(Key key, long by) {
        changes.merge(key, by, Long::sum);
    }

    /** Stores the changes, in the order of their keys, so that two transactions do not wait for each other. */
    void store(Sql sql) {
        if (changes.isEmpty()) {
            return;
        }
        List<Key> changed = change(sql, List.copyOf(changes.keySet()));
        List<Key> missing =
                changes.keySet().stream().filter(key -> !changed.contains(key)).toList();
        if (!missing.isEmpty()) {
            insert(sql, missing);
        }
        changes.clear();
    }

    /** Changes the counters that there are, and returns their keys. */
    private List<Key> change(Sql sql, List<Key> keys) {
        return sql.query(
                "UPDATE quota_counters q SET used = q.used + c.by FROM ("
                        + "SELECT k.organisation, k.project, k.resource, k.gpu, n.by FROM quota_counters k JOIN "
                        + CHANGES
                        + " USING (organisation, project, resource, gpu) ORDER BY 1, 2, 3, 4 FOR UPDATE OF k) c"
                        + " WHERE (q.organisation, q.project, q.resource, q.gpu)"
                        + " = (c.organisation, c.project, c.resource, c.gpu)"
                        + " RETURNING q.organisation, q.project, q.resource, q.gpu",
                QuotaCounts::read,
                values(keys));
    }

    /** Adds counters; another transaction may add the same ones at the same time. */
    private void insert(Sql sql, List<Key> keys) {
        sql.update(
                "INSERT INTO quota_counters AS q (organisation, project, resource, gpu, used)"
                        + " SELECT * FROM " + CHANGES + " ORDER BY 1, 2, 3, 4"
                        + " ON CONFLICT (organisation, project, resource, gpu) DO UPDATE SET used = q.used + excluded.used",
                values(keys));
    }

    private Object[] values(List<Key> keys) {
        return new Object[] {
            texts(keys, Key::organisation),
            texts(keys, Key::project),
            texts(keys, key -> key.resource().name()),
            texts(keys, Key::gpu),
            keys.stream().map(changes::get).toArray(Long[]::new)
        };
    }

    private static Key read(Sql.Row row) throws SQLException {
        return new Key(
                row.text("organisation"), row.text("project"), Resource.valueOf(row.text("resource")), row.text("gpu"));
    }

    private static String[] texts(List<Key> keys, Function<Key, String> text) {
        return keys.stream().map(text).toArray(String[]::new);
    }
}
