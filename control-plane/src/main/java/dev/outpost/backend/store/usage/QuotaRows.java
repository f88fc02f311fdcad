package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of quotas and of their use. */
public final class QuotaRows {
    static final String ALL = "";

    /** The value in the project's column for the operator's limits of an organisation. No project can have this name. */
    private static final String OPERATOR = Budget.OPERATOR;

    private static final long SECONDS_PER_HOUR = 3600;

    /** The SQL of the counters with the changes that are not added to them yet. */
    private static final String COUNTED = "SELECT organisation, project, resource, gpu, used FROM quota_counters"
            + " UNION ALL SELECT organisation, project, resource, gpu, change FROM quota_changes";

    private static final String SELECT = "SELECT CASE project WHEN '' THEN 'ORGANISATION' WHEN '" + OPERATOR
            + "' THEN 'OPERATOR' ELSE 'PROJECT' END AS scope, CASE WHEN project NOT IN ('', '" + OPERATOR
            + "') THEN project END AS project, resource, nullif(gpu, '') AS gpu, allowed, version FROM quotas q";

    private QuotaRows() {}

    /** A stored limit of a project, or of the organisation if {@code project} is empty. */
    public record Stored(QuotaLimit limit, Optional<String> project, long version) {
        public Key key() {
            return Key.of(limit, project);
        }
    }

    /**
     * The name of a quota within its organisation; empty texts stand for the organisation itself and for all kinds of
     * GPUs.
     */
    public record Key(String project, String resource, String gpu) {
        public static final Key FIRST = new Key("", "", "");

        public static Key of(QuotaLimit limit, Optional<String> project) {
            return new Key(
                    limit.scope() == QuotaScope.OPERATOR ? OPERATOR : project.orElse(ALL),
                    limit.resource().name(),
                    limit.gpu().orElse(ALL));
        }
    }

    /** The name of a quota with its organisation. */
    private record Name(String organisation, Key key) {}

    /** The used amount of a quota, with the names of {@link Stored}. */
    public record Counter(String organisation, String project, QuotaResource resource, String gpu, long used) {}

    /**
     * Returns the organisation's quotas, ordered by project, resource and GPU.
     *
     * @param only the project whose limits are listed besides the organisation's own; all projects if empty
     * @param after the project, resource and GPU of the quota before; empty at the beginning
     */
    public static List<Stored> page(Sql sql, String organisation, Optional<String> only, Key after, int limit) {
        return sql.query(
                SELECT + " WHERE organisation = ? AND (?::text IS NULL OR project IN ('', '" + OPERATOR
                        + "', ?)) AND (q.project, q.resource, q.gpu) > (?, ?, ?) ORDER BY q.project, q.resource, q.gpu LIMIT ?",
                Stored.class,
                organisation,
                only,
                only,
                after,
                limit);
    }

    public static Optional<Stored> find(Sql sql, String organisation, Key key) {
        return sql.one(
                SELECT + " WHERE organisation = ? AND project = ? AND resource = ? AND gpu = ?",
                Stored.class,
                organisation,
                key);
    }

    /** Returns the limits that apply to a request. */
    public static List<QuotaLimit> limits(Sql sql, Request request) {
        return sql
                .query(
                        SELECT + " WHERE organisation = ? AND project IN ('', '" + OPERATOR
                                + "', ?) ORDER BY q.project, q.resource, q.gpu",
                        Stored.class,
                        request.organisation(),
                        request.project())
                .stream()
                .map(Stored::limit)
                .toList();
    }

    /**
     * Returns the limit that a request exceeds. The counters stay locked until the end of the transaction.
     *
     * @param now the database's time
     */
    public static Optional<Quota.Excess> check(Sql sql, Request request, Instant now) {
        List<QuotaLimit> limits = limits(sql, request);
        if (limits.isEmpty()) {
            return Optional.empty();
        }
        QuotaCounts.lock(sql, request);
        return Quota.check(request, limits, limit -> used(sql, request, limit, now));
    }

    /** Returns the quotas of an organisation. Locks its counters until the end of the transaction. */
    public static Balance balance(Sql sql, String organisation) {
        QuotaCounts.fold(sql, organisation);
        return new Balance(sql, organisation);
    }

    /** The quotas of an organisation and their use, read once. Used in one transaction. */
    public static final class Balance {
        private final Sql sql;
        private final String organisation;
        private final Instant now;
        private final List<Stored> limits;
        private final Map<Key, Long> used = new HashMap<>();

        private Balance(Sql sql, String organisation) {
            this.sql = sql;
            this.organisation = organisation;
            this.now = sql.now();
            this.limits = page(sql, organisation, Optional.empty(), Key.FIRST, Integer.MAX_VALUE);
            sql.query(
                            "SELECT organisation, project, resource, gpu, used FROM quota_counters WHERE organisation = ?",
                            Counter.class,
                            organisation)
                    .forEach(counter -> used.put(
                            new Key(counter.project(), counter.resource().name(), counter.gpu()), counter.used()));
        }

        /** Returns the limit that a request does not fit into. */
        public Optional<Quota.Excess> check(Request request) {
            return Quota.check(request, limits(request), limit -> used(key(request, limit), limit));
        }

        /**
         * Returns the limit that a request would exceed with this kind of GPU. The request already counts under the
         * name that it requested. An unknown kind may be any kind that has a limit.
         */
        public Optional<Quota.Excess> check(Request request, String kind) {
            Request given = request.withGpu(kind);
            return limits(request).stream()
                    .filter(limit -> limit.gpu().isPresent() && !limit.counts(request))
                    .filter(limit -> limit.counts(given)
                            || kind.equals(GpuKinds.ANY) && limit.resource().isOfMachines())
                    .map(limit -> new Quota.Excess(limit, used(key(request, limit), limit), limit.taken(request)))
                    .filter(excess ->
                            excess.used() + excess.asked() > excess.limit().allowed())
                    .findFirst();
        }

        private List<QuotaLimit> limits(Request request) {
            return limits.stream()
                    .filter(stored -> stored.project()
                            .filter(project -> !project.equals(request.project()))
                            .isEmpty())
                    .map(Stored::limit)
                    .toList();
        }

        private static Key key(Request request, QuotaLimit limit) {
            return new Key(
                    limit.scope() == QuotaScope.PROJECT ? request.project() : ALL,
                    limit.resource().name(),
                    limit.gpu().orElse(ALL));
        }

        private long used(Key key, QuotaLimit limit) {
            boolean isCounted = limit.resource() == QuotaResource.GPUS || limit.resource() == QuotaResource.MACHINES;
            return isCounted
                    ? used.entrySet().stream()
                            .filter(counter -> counter.getKey().project().equals(key.project())
                                    && counter.getKey().resource().equals(key.resource())
                                    && GpuKinds.isOf(counter.getKey().gpu(), key.gpu()))
                            .mapToLong(Map.Entry::getValue)
                            .sum()
                    : used.computeIfAbsent(key, name -> QuotaRows.used(sql, organisation, project(name), limit, now));
        }

        private static Optional<String> project(Key key) {
            return key.project().equals(ALL) ? Optional.empty() : Optional.of(key.project());
        }

        /** Adds a request to the counted use, or removes it if {@code sign} is -1. */
        public void take(Request request, int sign) {
            for (String project : List.of(ALL, request.project())) {
                for (String gpu : List.of(ALL, request.gpu())) {
                    used.merge(
                            new Key(project, QuotaResource.GPUS.name(), gpu),
                            (long) sign * request.allGpus(),
                            Long::sum);
                    used.merge(
                            new Key(project, QuotaResource.MACHINES.name(), gpu),
                            (long) sign * request.members(),
                            Long::sum);
                }
            }
        }
    }

    /** Returns the used amount of a limit. */
    public static long used(Sql sql, Request request, QuotaLimit limit, Instant now) {
        return used(
                sql,
                request.organisation(),
                limit.scope() == QuotaScope.PROJECT ? Optional.of(request.project()) : Optional.empty(),
                limit,
                now);
    }

    public static long used(Sql sql, String organisation, Optional<String> project, QuotaLimit limit, Instant now) {
        if (limit.resource() == QuotaResource.GPU_HOURS_PER_MONTH) {
            return TotalRows.gpuSeconds(sql, organisation, project, limit.gpu(), month(now), now) / SECONDS_PER_HOUR;
        }
        if (limit.resource() == QuotaResource.TOKENS_PER_MONTH) {
            return TotalRows.tokens(sql, organisation, project, month(now), now);
        }
        if (limit.resource() == QuotaResource.STORED_BYTES) {
            return TotalRows.bytes(sql, organisation);
        }
        QuotaCounts.of(sql).store(sql);
        return sql.one(
                        "SELECT coalesce(sum(used), 0)::bigint AS used FROM (" + COUNTED + ") c"
                                + " WHERE organisation = ? AND project = ? AND resource = ? AND (gpu = ? OR "
                                + GpuKinds.familySql("gpu") + " = ?)",
                        Long.class,
                        organisation,
                        project.orElse(ALL),
                        limit.resource(),
                        limit.gpu().orElse(ALL),
                        limit.gpu().orElse(ALL))
                .orElse(0L);
    }

    /** Returns the number of tokens that a project may still use in this month; empty if no such quota is set. */
    public static Optional<Long> tokensLeft(Sql sql, String organisation, String project, Instant now) {
        return page(sql, organisation, Optional.of(project), Key.FIRST, Integer.MAX_VALUE).stream()
                .filter(stored -> stored.limit().resource() == QuotaResource.TOKENS_PER_MONTH)
                .map(stored -> Math.max(
                        0, stored.limit().allowed() - used(sql, organisation, stored.project(), stored.limit(), now)))
                .min(Comparator.naturalOrder());
    }

    /**
     * Returns the limit that an organisation would exceed with more stored bytes.
     *
     * @param unlessSet the limit of an organisation for which the operator has set none
     */
    public static Optional<Quota.Excess> checkBytes(Sql sql, String organisation, long more, long unlessSet) {
        List<QuotaLimit> limits =
                new ArrayList<>(sql
                        .query(
                                SELECT + " WHERE organisation = ? AND resource = 'STORED_BYTES'",
                                Stored.class,
                                organisation)
                        .stream()
                        .map(Stored::limit)
                        .toList());
        if (limits.stream().noneMatch(limit -> limit.scope() == QuotaScope.OPERATOR)) {
            limits.add(new QuotaLimit(QuotaScope.OPERATOR, QuotaResource.STORED_BYTES, Optional.empty(), unlessSet));
        }
        long used = TotalRows.bytes(sql, organisation);
        return limits.stream()
                .filter(limit -> used + more > limit.allowed())
                .min(Comparator.comparing(QuotaLimit::allowed))
                .map(limit -> new Quota.Excess(limit, used, more));
    }

    private static Instant month(Instant now) {
        return now.atOffset(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.DAYS)
                .withDayOfMonth(1)
                .toInstant();
    }

    /**
     * Counts the amounts that a request takes or releases. They are stored at the end of the transaction, or before
     * the counters are read.
     *
     * @param sign 1 to take the amounts, -1 to release them
     */
    static void take(Sql sql, Request request, int sign) {
        QuotaCounts.of(sql).add(request, sign);
    }

    /**
     * Sets a limit.
     *
     * @param version the version to change: 0 if the limit must not exist yet; empty for any version
     * @return false if the stored limit has another version
     */
    public static boolean set(
            Sql sql, String organisation, Optional<String> project, QuotaLimit limit, Optional<Long> version) {
        Name key = new Name(organisation, Key.of(limit, project));
        if (version.filter(known -> known > 0).isPresent()) {
            return sql.update(
                            "UPDATE quotas SET allowed = ?, version = version + 1 WHERE organisation = ? AND project = ?"
                                    + " AND resource = ? AND gpu = ? AND version = ?",
                            limit.allowed(),
                            key,
                            version)
                    == 1;
        }
        String conflict = version.isPresent()
                ? "DO NOTHING"
                : "DO UPDATE SET allowed = excluded.allowed, version = q.version + 1";
        return sql.update(
                        "INSERT INTO quotas AS q (organisation, project, resource, gpu, allowed) VALUES (?, ?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, project, resource, gpu) " + conflict,
                        key,
                        limit.allowed())
                == 1;
    }

    /** Removes a limit. Returns false if it does not exist, or has another version than {@code version}. */
    public static boolean remove(
            Sql sql, String organisation, Optional<String> project, QuotaLimit limit, Optional<Long> version) {
        return sql.update(
                        "DELETE FROM quotas WHERE organisation = ? AND project = ? AND resource = ? AND gpu = ?"
                                + " AND version = coalesce(?, version)",
                        new Name(organisation, Key.of(limit, project)),
                        version)
                == 1;
    }

    /** Returns the counters that are not zero. */
    public static List<Counter> counters(Sql sql) {
        QuotaCounts.of(sql).store(sql);
        return sql.query(
                "SELECT organisation, project, resource, gpu, sum(used)::bigint AS used FROM (" + COUNTED + ") c"
                        + " GROUP BY organisation, project, resource, gpu HAVING sum(used) <> 0 ORDER BY 1, 2, 3, 4",
                Counter.class);
    }

    /** Adds the stored changes to the counters, organisation by organisation. */
    public static void fold(Database database) {
        new RowWork(database, "quotas")
                .each(
                        database.transact(
                                sql -> sql.query("SELECT DISTINCT organisation FROM quota_changes", String.class)),
                        organisation -> organisation,
                        organisation -> database.run(sql -> QuotaCounts.fold(sql, organisation)));
    }
}
