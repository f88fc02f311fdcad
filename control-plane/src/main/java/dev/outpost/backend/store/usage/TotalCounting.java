package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.BudgetPeriod;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Adds the use of machines, the tokens of texts and stored bytes to the running totals, some time after they were written. At most one
 * transaction at a time counts for an organisation.
 */
public final class TotalCounting {
    /** The maximum number of rows of each table that a transaction counts. */
    private static final int BATCH = 500;

    private TotalCounting() {}

    /**
     * Returns the organisations with uncounted rows. The effort grows with the number of these organisations, not
     * with the number of rows.
     */
    public static Set<String> uncountedOrganisations(Sql sql) {
        Set<String> all = new TreeSet<>();
        for (String table : List.of(
                "usages WHERE NOT counted AND to_at IS NOT NULL",
                "token_usages WHERE uncounted",
                "contents WHERE uncounted")) {
            all.addAll(sql.query(
                    "WITH RECURSIVE found AS ((SELECT organisation FROM " + table + " ORDER BY organisation LIMIT 1)"
                            + " UNION ALL SELECT n.organisation FROM found f CROSS JOIN LATERAL (SELECT organisation FROM "
                            + table
                            + " AND organisation > f.organisation ORDER BY organisation LIMIT 1) n) SELECT organisation FROM found",
                    String.class));
        }
        return all;
    }

    /**
     * Counts up to {@link #BATCH} uncounted rows of each table of an organisation.
     *
     * @return true if uncounted rows may be left
     */
    public static boolean count(Sql sql, String organisation, FairShare fairShare) {
        lock(sql, organisation);
        Instant now = sql.now();
        Map<Key, Amount> amounts = new LinkedHashMap<>();
        int machines = countMachines(sql, organisation, fairShare, amounts, now);
        int texts = countTexts(sql, organisation, amounts, now);
        int contents = countContents(sql, organisation, amounts);
        add(sql, organisation, amounts);
        return Math.max(machines, Math.max(texts, contents)) == BATCH;
    }

    /** Locks the totals of an organisation until the end of the transaction. */
    private static void lock(Sql sql, String organisation) {
        sql.one(
                "SELECT pg_advisory_xact_lock(hashtextextended('outpost totals of ' || ?, 0)) IS NULL AS is_locked",
                Boolean.class,
                organisation);
    }

    private record Key(String project, String key, String gpu, BudgetPeriod period, Instant begins) {
        static Key of(String project, String key, String gpu, BudgetPeriod period, Instant at) {
            return new Key(project, key, gpu, period, period.begin(at));
        }
    }

    private record Amount(long nanos, long seconds, long tokenNanos, long tokens, long bytes) {
        static Amount ofMachine(long nanos, long seconds) {
            return new Amount(nanos, seconds, 0, 0, 0);
        }

        Amount plus(Amount other) {
            return new Amount(
                    Amounts.plus(nanos, other.nanos),
                    seconds + other.seconds,
                    Amounts.plus(tokenNanos, other.tokenNanos),
                    Amounts.plus(tokens, other.tokens),
                    bytes + other.bytes);
        }
    }

    /** Adds an amount to the totals of the project and key, of the project, of the key, and of the organisation. */
    private static void add(
            Map<Key, Amount> amounts, String project, String key, Instant at, Amount amount, Instant now) {
        for (String ofKey : key.isEmpty() ? List.of(TotalRows.ALL) : List.of(TotalRows.ALL, key)) {
            for (String ofProject : List.of(TotalRows.ALL, project)) {
                for (BudgetPeriod period : BudgetPeriod.values()) {
                    Key name = Key.of(ofProject, ofKey, TotalRows.ALL, period, at);
                    if (isRead(name, now)) {
                        amounts.merge(name, amount, Amount::plus);
                    }
                }
            }
        }
    }

    /**
     * True if a budget or a bill reads this total. Budgets read the current periods. Bills read the days and months of all keys together.
     */
    private static boolean isRead(Key key, Instant now) {
        boolean isOfBill = key.key().isEmpty() && key.period() != BudgetPeriod.WEEK;
        return isOfBill || !key.begins().isBefore(key.period().begin(now.minus(1, ChronoUnit.DAYS)));
    }

    private static int countMachines(
            Sql sql, String organisation, FairShare fairShare, Map<Key, Amount> amounts, Instant now) {
        record Row(long id, TotalRows.Uncounted one) {}
        List<Row> rows = sql.query(
                "SELECT u.*, m.key_id, m.owner FROM (SELECT * FROM usages WHERE organisation = ? AND NOT counted"
                        + " AND to_at IS NOT NULL LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED) u CROSS JOIN LATERAL"
                        + " (SELECT key_id, owner FROM machines WHERE id = u.machine" + TotalRows.ONE_BY_ONE + ") m",
                row -> new Row(row.number("id"), TotalRows.readUncounted(row)),
                organisation);
        if (rows.isEmpty()) {
            return 0;
        }
        Prices prices = UsageRows.allPrices(sql);
        Map<UUID, Map<LocalDate, BillRows.MachineDay>> days = new HashMap<>();
        Map<String, Double> shares = new HashMap<>();
        for (Row row : rows) {
            UsageRows.Used used = row.one().used();
            FairShare.Use use =
                    new FairShare.Use(used.usage().from(), used.usage().to().orElseThrow(), used.gpus());
            shares.merge(used.project(), fairShare.decayed(List.of(use), now), Double::sum);
            for (BillRows.MachineDay day : BillRows.days(row.one(), prices, Instant.EPOCH, now)) {
                days.computeIfAbsent(day.machine(), machine -> new HashMap<>())
                        .merge(day.day(), day, BillRows.MachineDay::plus);
                Instant at = day.day().atStartOfDay(ZoneOffset.UTC).toInstant();
                add(amounts, day.project(), row.one().key(), at, Amount.ofMachine(day.nanos(), day.seconds()), now);
                for (String project : List.of(TotalRows.ALL, day.project())) {
                    amounts.merge(
                            Key.of(project, TotalRows.ALL, day.gpu(), BudgetPeriod.MONTH, at),
                            Amount.ofMachine(0, day.seconds()),
                            Amount::plus);
                }
            }
        }
        BillRows.addDays(
                sql,
                organisation,
                days.values().stream().flatMap(of -> of.values().stream()).toList());
        addShares(sql, organisation, shares, fairShare, now);
        sql.update("UPDATE usages SET counted = true WHERE id = ANY (?)", (Object)
                rows.stream().map(Row::id).toArray(Long[]::new));
        return rows.size();
    }

    private static int countTexts(Sql sql, String organisation, Map<Key, Amount> amounts, Instant now) {
        record Row(
                String project,
                String key,
                String model,
                Instant hour,
                long nanos,
                long prompt,
                long generated,
                long tokens,
                long more) {}
        List<Row> rows = sql.query(
                "SELECT *, prompt_tokens AS prompt, new_tokens AS generated, nanos - counted_nanos AS more, "
                        + TotalRows.bounded("prompt_tokens::numeric - counted_prompt + new_tokens - counted_new")
                        + " AS tokens"
                        + " FROM token_usages WHERE organisation = ? AND uncounted LIMIT " + BATCH
                        + " FOR UPDATE SKIP LOCKED",
                Row.class,
                organisation);
        rows.forEach(row ->
                add(amounts, row.project(), row.key(), row.hour(), new Amount(0, 0, row.more(), row.tokens(), 0), now));
        if (!rows.isEmpty()) {
            sql.update(
                    "UPDATE token_usages u SET counted_nanos = c.nanos, counted_prompt = c.prompt, counted_new = c.generated"
                            + " FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])"
                            + " AS c (project, key_id, model, hour, nanos, prompt, generated)"
                            + " WHERE u.organisation = ? AND u.project = c.project AND u.key_id = c.key_id AND u.model = c.model"
                            + " AND u.hour = c.hour::timestamptz",
                    TotalRows.texts(rows, Row::project),
                    TotalRows.texts(rows, Row::key),
                    TotalRows.texts(rows, Row::model),
                    TotalRows.texts(rows, row -> row.hour().toString()),
                    TotalRows.numbers(rows, Row::nanos),
                    TotalRows.numbers(rows, Row::prompt),
                    TotalRows.numbers(rows, Row::generated),
                    organisation);
        }
        return rows.size();
    }

    private static int countContents(Sql sql, String organisation, Map<Key, Amount> amounts) {
        record Row(UUID id, long size, long more) {}
        List<Row> rows = sql.query(
                "SELECT id, size, size - counted_size AS more FROM contents WHERE organisation = ? AND uncounted LIMIT "
                        + BATCH + " FOR UPDATE SKIP LOCKED",
                Row.class,
                organisation);
        if (!rows.isEmpty()) {
            addBytes(amounts, rows.stream().mapToLong(Row::more).sum());
            sql.update(
                    "UPDATE contents c SET counted_size = n.size FROM unnest(?::uuid[], ?::bigint[]) AS n (id, size)"
                            + " WHERE c.id = n.id",
                    rows.stream().map(Row::id).toList(),
                    TotalRows.numbers(rows, Row::size));
        }
        return rows.size();
    }

    private static void addBytes(Map<Key, Amount> amounts, long bytes) {
        amounts.merge(
                Key.of(TotalRows.ALL, TotalRows.ALL, TotalRows.ALL, BudgetPeriod.LIFETIME, Instant.EPOCH),
                new Amount(0, 0, 0, 0, bytes),
                Amount::plus);
    }

    /** Subtracts counted bytes of an organisation that were deleted. */
    public static void release(Sql sql, String organisation, long bytes) {
        lock(sql, organisation);
        Map<Key, Amount> amounts = new HashMap<>();
        addBytes(amounts, -bytes);
        add(sql, organisation, amounts);
    }

    private static void add(Sql sql, String organisation, Map<Key, Amount> amounts) {
        if (amounts.isEmpty()) {
            return;
        }
        List<Key> keys = List.copyOf(amounts.keySet());
        List<Amount> added = keys.stream().map(amounts::get).toList();
        sql.update(
                "INSERT INTO totals AS t (organisation, project, key_id, gpu, period, begins, nanos, seconds, token_nanos, tokens, bytes)"
                        + " SELECT ?, project, key_id, gpu, period, begins::timestamptz, nanos, seconds, token_nanos, tokens, bytes"
                        + " FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[],"
                        + " ?::bigint[], ?::bigint[]) AS a (project, key_id, gpu, period, begins, nanos, seconds, token_nanos, tokens,"
                        + " bytes) ON CONFLICT (organisation, project, key_id, gpu, period, begins) DO UPDATE SET nanos = "
                        + TotalRows.bounded("t.nanos::numeric + excluded.nanos")
                        + ", seconds = t.seconds + excluded.seconds, token_nanos = "
                        + TotalRows.bounded("t.token_nanos::numeric + excluded.token_nanos")
                        + ", tokens = " + TotalRows.bounded("t.tokens::numeric + excluded.tokens")
                        + ", bytes = t.bytes + excluded.bytes",
                organisation,
                TotalRows.texts(keys, Key::project),
                TotalRows.texts(keys, Key::key),
                TotalRows.texts(keys, Key::gpu),
                TotalRows.texts(keys, key -> key.period().name()),
                TotalRows.texts(keys, key -> key.begins().toString()),
                TotalRows.numbers(added, Amount::nanos),
                TotalRows.numbers(added, Amount::seconds),
                TotalRows.numbers(added, Amount::tokenNanos),
                TotalRows.numbers(added, Amount::tokens),
                TotalRows.numbers(added, Amount::bytes));
    }

    private static void addShares(
            Sql sql, String organisation, Map<String, Double> shares, FairShare fairShare, Instant now) {
        shares.forEach((project, seconds) -> {
            double before = sql.one(
                            "SELECT seconds, at FROM fair_shares WHERE organisation = ? AND project = ?",
                            row -> fairShare.decayed(row.object("seconds", Double.class), row.time("at"), now),
                            organisation,
                            project)
                    .orElse(0.0);
            sql.update(
                    "INSERT INTO fair_shares (organisation, project, seconds, at) VALUES (?, ?, ?, ?)"
                            + " ON CONFLICT (organisation, project) DO UPDATE SET seconds = excluded.seconds, at = excluded.at",
                    organisation,
                    project,
                    before + seconds,
                    now);
        });
    }
}
