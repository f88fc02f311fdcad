package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.BudgetPeriod;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The tables of running totals, and the rows that are not counted in them yet. The use of machines and the tokens of texts are counted
 * some time after they were written ({@link TotalCounting}). Until then each statement that reads totals also adds the uncounted rows. So
 * a sum is exact at any time and does not read old rows.
 */
public final class TotalRows {
    /** The value that stands for all projects, keys or kinds of GPU. */
    static final String ALL = "";

    /**
     * Makes PostgreSQL look up joined rows by an index, one after the other. Otherwise it may scan a whole table if it expects many rows,
     * for example while its statistics do not show yet that most rows were counted.
     */
    static final String ONE_BY_ONE = " OFFSET 0";

    /** The SQL of the texts of an organisation whose tokens are not completely counted, by a partial index. */
    static final String UNCOUNTED_TEXTS =
            "SELECT * FROM token_usages WHERE organisation = ? AND uncounted" + ONE_BY_ONE;

    /** The first schema version with totals. */
    public static final int SCHEMA = 43;

    private TotalRows() {}

    /** Adds the costs of machines that were removed before totals existed, as the migration does. */
    public static void addForgotten(Sql sql) {
        sql.update("INSERT INTO totals (organisation, project, key_id, gpu, period, begins, nanos)"
                + " SELECT f.organisation, p.project, k.key_id, '', 'LIFETIME', '1970-01-01 00:00:00+00', "
                + bounded("sum(f.nanos)") + " FROM forgotten_costs f, LATERAL (VALUES (''), (f.project)) p (project),"
                + " LATERAL (SELECT '' UNION SELECT f.key_id) k (key_id) GROUP BY f.organisation, p.project, k.key_id");
    }

    /**
     * The use of a machine that is not counted yet, or still continues.
     *
     * @param key the key of the request; empty if the request had no key
     */
    public record Uncounted(UsageRows.Used used, String key, Optional<String> deployment) {}

    // ---- spending of budgets

    /** The amounts that an organisation's budgets have spent, read once. */
    public static final class Spending {
        private final Instant now;
        private final Prices prices;
        private final Map<Scope, Long> totals = new HashMap<>();
        private final List<Uncounted> machines = new ArrayList<>();
        private final List<Text> texts = new ArrayList<>();

        private Spending(Instant now, Prices prices) {
            this.now = now;
            this.prices = prices;
        }

        private record Scope(String project, String key, BudgetPeriod period) {
            static Scope of(Budget budget) {
                return new Scope(
                        budget.coveredProject().orElse(ALL), budget.key().orElse(ALL), budget.period());
            }
        }

        private record Text(String project, String key, Instant hour, long nanos) {}

        /** Returns the amount that one of the named budgets has spent. */
        public long of(Budget budget) {
            Instant from = budget.period().begin(now);
            long known = totals.getOrDefault(Scope.of(budget), 0L);
            long used = machines.stream()
                    .filter(one -> budget.covers(one.used().project(), one.key()))
                    .mapToLong(one -> Ledger.total(Ledger.charges(
                            one.used().usage(),
                            one.used().gpus(),
                            prices.of(one.used().gpu()),
                            from,
                            now)))
                    .reduce(0, Amounts::plus);
            long tokens = texts.stream()
                    .filter(one -> budget.covers(one.project(), one.key()))
                    .filter(one -> !one.hour().isBefore(from) && !one.hour().isAfter(now))
                    .mapToLong(Text::nanos)
                    .reduce(0, Amounts::plus);
            return Amounts.plus(known, Amounts.plus(used, tokens));
        }
    }

    /** Reads the amounts that budgets of an organisation have spent so far in their periods. */
    public static Spending spending(Sql sql, String organisation, Collection<Budget> budgets, Instant now) {
        Spending spending = new Spending(now, UsageRows.allPrices(sql));
        List<Budget> all = List.copyOf(budgets);
        sql.query(
                "SELECT 'TOTAL' AS what, b.project, b.key_id, b.period AS gpu, 0 AS gpus, NULL::uuid AS machine,"
                        + " t.begins AS from_at, NULL::timestamptz AS to_at, NULL AS began, NULL AS ended,"
                        + " least(t.nanos::numeric + t.token_nanos, " + Long.MAX_VALUE
                        + ")::bigint AS nanos, NULL AS owner"
                        + " FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS b (project, key_id, period, begins)"
                        + " CROSS JOIN LATERAL (SELECT * FROM totals t WHERE t.organisation = ? AND t.project = b.project"
                        + " AND t.key_id = b.key_id AND t.gpu = '' AND t.period = b.period AND t.begins = b.begins::timestamptz"
                        + ONE_BY_ONE + ") t"
                        + " UNION ALL " + uncounted("'MACHINE'")
                        + " UNION ALL SELECT 'TEXT', project, key_id, NULL, 0, NULL, hour, NULL, NULL, NULL, nanos - counted_nanos, NULL"
                        + " FROM token_usages WHERE organisation = ? AND uncounted",
                row -> add(spending, row),
                texts(all, budget -> budget.coveredProject().orElse(ALL)),
                texts(all, budget -> budget.key().orElse(ALL)),
                texts(all, budget -> budget.period().name()),
                texts(all, budget -> budget.period().begin(now).toString()),
                organisation,
                organisation,
                organisation,
                organisation);
        return spending;
    }

    private static boolean add(Spending spending, Sql.Row row) throws SQLException {
        switch (row.text("what")) {
            case "TOTAL" ->
                spending.totals.merge(
                        new Spending.Scope(
                                row.text("project"), row.text("key_id"), BudgetPeriod.valueOf(row.text("gpu"))),
                        row.number("nanos"),
                        (one, same) -> same);
            case "MACHINE" -> spending.machines.add(readUncounted(row));
            default ->
                spending.texts.add(new Spending.Text(
                        row.text("project"), row.text("key_id"), row.time("from_at"), row.number("nanos")));
        }
        return true;
    }

    /** Returns the SQL of the uses that continue or are not counted yet. It has placeholders for the organisation. */
    private static String uncounted(String what) {
        String select = "SELECT " + what
                + " AS what, u.project, m.key_id, u.gpu, u.gpus, u.machine, u.from_at, u.to_at, u.began,"
                + " u.ended, 0::bigint AS nanos, m.owner FROM usages u CROSS JOIN LATERAL (SELECT key_id, owner FROM machines"
                + " WHERE id = u.machine" + ONE_BY_ONE + ") m WHERE u.organisation = ?";
        return select + " AND u.to_at IS NULL UNION ALL " + select + " AND NOT u.counted AND u.to_at IS NOT NULL";
    }

    /** Returns the uses of an organisation's machines that are not counted yet, or still continue. */
    public static List<Uncounted> uncounted(Sql sql, String organisation) {
        return sql.query(uncounted("'MACHINE'"), TotalRows::readUncounted, organisation, organisation);
    }

    static Uncounted readUncounted(Sql.Row row) throws SQLException {
        String owner = row.text("owner");
        return new Uncounted(
                row.as(UsageRows.Used.class),
                row.text("key_id"),
                owner.startsWith(Replica.OWNER)
                        ? Optional.of(owner.substring(Replica.OWNER.length()))
                        : Optional.empty());
    }

    // ---- use for quotas

    /** Returns the GPU seconds of this month; only of {@code gpu}, a kind or a family, if it is present. */
    static long gpuSeconds(
            Sql sql, String organisation, Optional<String> project, Optional<String> gpu, Instant month, Instant now) {
        String ofGpu = " (?::text IS NULL OR gpu = ? OR " + GpuKinds.familySql("gpu") + " = ?)";
        String running =
                "SELECT coalesce(sum(gpus * extract(epoch FROM least(coalesce(to_at, ?), ?) - greatest(from_at, ?))), 0)"
                        + " FROM usages WHERE organisation = ? AND (?::text IS NULL OR project = ?) AND" + ofGpu
                        + " AND from_at < ? AND %s";
        Object[] ofRunning = {now, now, month, organisation, project, project, gpu, gpu, gpu, now};
        List<Object> values = new ArrayList<>(List.of(organisation, project.orElse(ALL), month, gpu, gpu, gpu, gpu));
        values.addAll(List.of(ofRunning));
        values.addAll(List.of(ofRunning));
        values.add(month);
        return sql.one(
                        "SELECT ((SELECT coalesce(sum(seconds), 0) FROM totals WHERE organisation = ? AND project = ? AND key_id = ''"
                                + " AND period = 'MONTH' AND begins = ? AND (gpu = '') = (?::text IS NULL) AND" + ofGpu
                                + ")"
                                + " + (" + running.formatted("to_at IS NULL") + ")"
                                + " + (" + running.formatted("NOT counted AND to_at IS NOT NULL AND to_at > ?")
                                + "))::bigint AS seconds",
                        Long.class,
                        values.toArray())
                .orElse(0L);
    }

    /** Returns the number of tokens of this month, both of prompts and generated. */
    static long tokens(Sql sql, String organisation, Optional<String> project, Instant month, Instant now) {
        return sql.one(
                        "SELECT least((SELECT coalesce(sum(tokens), 0) FROM totals WHERE organisation = ? AND project = ?"
                                + " AND key_id = '' AND gpu = '' AND period = 'MONTH' AND begins = ?)"
                                + " + (SELECT coalesce(sum(prompt_tokens::numeric - counted_prompt + new_tokens - counted_new), 0)"
                                + " FROM (" + UNCOUNTED_TEXTS
                                + ") u WHERE (?::text IS NULL OR project = ?) AND hour >= ? AND hour <= ?), "
                                + Long.MAX_VALUE + ")::bigint AS tokens",
                        Long.class,
                        organisation,
                        project.orElse(ALL),
                        month,
                        organisation,
                        project,
                        project,
                        month,
                        now)
                .orElse(0L);
    }

    /** Returns the bytes of programs, logs and artefacts that an organisation has stored. */
    public static long bytes(Sql sql, String organisation) {
        return sql.one(
                        "SELECT ((SELECT coalesce(sum(bytes), 0) FROM totals WHERE organisation = ? AND project = '' AND key_id = ''"
                                + " AND gpu = '' AND period = 'LIFETIME') + (SELECT coalesce(sum(size - counted_size), 0)"
                                + " FROM contents WHERE organisation = ? AND uncounted))::bigint AS bytes",
                        Long.class,
                        organisation,
                        organisation)
                .orElse(0L);
    }

    // ---- turns in the queue

    /** Returns the recent GPU seconds of each account of these organisations, weighted by age. */
    public static Map<String, Double> shares(
            Sql sql, Collection<String> organisations, FairShare fairShare, Instant now) {
        String use =
                "SELECT u.organisation || '/' || u.project AS account, gpus, from_at, coalesce(to_at, ?) AS until, 0 AS seconds"
                        + " FROM usages u WHERE u.organisation = ANY (?) AND ";
        String[] names = organisations.toArray(String[]::new);
        Map<String, Double> shares = new HashMap<>();
        sql.query(
                "SELECT organisation || '/' || project AS account, 0 AS gpus, at AS from_at, at AS until, seconds"
                        + " FROM fair_shares WHERE organisation = ANY (?)"
                        + " UNION ALL " + use + "to_at IS NULL UNION ALL " + use + "NOT counted AND to_at IS NOT NULL",
                row -> shares.merge(row.text("account"), share(row, fairShare, now), Double::sum),
                names,
                now,
                names,
                now,
                names);
        return shares;
    }

    private static double share(Sql.Row row, FairShare fairShare, Instant now) throws SQLException {
        int gpus = row.integer("gpus");
        return gpus == 0
                ? fairShare.decayed(row.object("seconds", Double.class), row.time("from_at"), now)
                : fairShare.decayed(List.of(new FairShare.Use(row.time("from_at"), row.time("until"), gpus)), now);
    }

    static String bounded(String sum) {
        return "least(" + sum + ", " + Long.MAX_VALUE + ")::bigint";
    }

    static <T> String[] texts(List<T> all, Function<T, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    static <T> Long[] numbers(List<T> all, Function<T, Long> number) {
        return all.stream().map(number).toArray(Long[]::new);
    }
}
