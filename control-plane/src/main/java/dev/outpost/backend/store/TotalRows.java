package dev.outpost.backend.store;

import dev.outpost.backend.model.Amounts;
import dev.outpost.backend.model.Budget;
import dev.outpost.backend.model.Budget.Period;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.Ledger;
import dev.outpost.backend.model.Prices;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * The tables of running totals, and the rows that are not counted in them yet. A machine's use and a text's tokens are counted some time
 * after they were written ({@link #count}); until then whoever reads totals adds them by the same statement, so that a sum is
 * exact at any moment and reads nothing of the past.
 */
public final class TotalRows {
    /** Stands for all projects, keys or kinds of GPU. */
    private static final String ALL = "";

    /** Rows of an organisation that a transaction counts. */
    private static final int BATCH = 500;

    /**
     * Has the rows that another one needs looked up by an index, one after the other. Otherwise PostgreSQL may read a whole table when it
     * expects many, such as while it does not know yet that most of them were counted.
     */
    private static final String ONE_BY_ONE = " OFFSET 0";

    /** Texts of an organisation whose tokens are not counted wholly, by the index that has no others. */
    static final String UNCOUNTED_TEXTS =
            "SELECT * FROM token_usages WHERE organisation = ? AND uncounted" + ONE_BY_ONE;

    /** The first schema that has them. */
    static final int SCHEMA = 43;

    private TotalRows() {}

    /** Adds what machines have cost that were forgotten before there were totals, as the migration does. */
    static void addForgotten(Sql sql) {
        sql.update("INSERT INTO totals (organisation, project, key_id, gpu, period, begins, nanos)"
                + " SELECT f.organisation, p.project, k.key_id, '', 'LIFETIME', '1970-01-01 00:00:00+00', "
                + bounded("sum(f.nanos)") + " FROM forgotten_costs f, LATERAL (VALUES (''), (f.project)) p (project),"
                + " LATERAL (SELECT '' UNION SELECT f.key_id) k (key_id) GROUP BY f.organisation, p.project, k.key_id");
    }

    /**
     * The use of a machine that is not counted yet, or still goes on.
     *
     * @param key by which it was asked for; empty where it was by none
     */
    public record Uncounted(UsageRows.Used used, String key, Optional<String> deployment) {}

    // ---- what budgets have spent

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

        private record Scope(String project, String key, Period period) {
            static Scope of(Budget budget) {
                return new Scope(
                        budget.coveredProject().orElse(ALL), budget.key().orElse(ALL), budget.period());
            }
        }

        private record Text(String project, String key, Instant hour, long nanos) {}

        /** The amount that one of the named budgets has spent. */
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

    /** Reads what these budgets of an organisation have spent in their periods so far. */
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
                        new Spending.Scope(row.text("project"), row.text("key_id"), Period.valueOf(row.text("gpu"))),
                        row.number("nanos"),
                        (one, same) -> same);
            case "MACHINE" -> spending.machines.add(readUncounted(row));
            default ->
                spending.texts.add(new Spending.Text(
                        row.text("project"), row.text("key_id"), row.time("from_at"), row.number("nanos")));
        }
        return true;
    }

    /** Statements of the machines that run and of those that are to be counted; each takes the organisation. */
    private static String uncounted(String what) {
        String select = "SELECT " + what
                + " AS what, u.project, m.key_id, u.gpu, u.gpus, u.machine, u.from_at, u.to_at, u.began,"
                + " u.ended, 0::bigint AS nanos, m.owner FROM usages u CROSS JOIN LATERAL (SELECT key_id, owner FROM machines"
                + " WHERE id = u.machine" + ONE_BY_ONE + ") m WHERE u.organisation = ?";
        return select + " AND u.to_at IS NULL UNION ALL " + select + " AND NOT u.counted AND u.to_at IS NOT NULL";
    }

    /** The uses of machines of an organisation that are not counted yet, or still go on. */
    public static List<Uncounted> uncounted(Sql sql, String organisation) {
        return sql.query(uncounted("'MACHINE'"), TotalRows::readUncounted, organisation, organisation);
    }

    private static Uncounted readUncounted(Sql.Row row) throws SQLException {
        String owner = row.text("owner");
        return new Uncounted(
                UsageRows.read(row),
                row.text("key_id"),
                owner.startsWith(ReplicaRows.OWNER)
                        ? Optional.of(owner.substring(ReplicaRows.OWNER.length()))
                        : Optional.empty());
    }

    // ---- what quotas count

    /** GPU seconds of this month; of a kind of GPU or a family where one is named. */
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
                        row -> row.number("seconds"),
                        values.toArray())
                .orElse(0L);
    }

    /** Tokens of prompts and new ones of this month. */
    static long tokens(Sql sql, String organisation, Optional<String> project, Instant month, Instant now) {
        return sql.one(
                        "SELECT least((SELECT coalesce(sum(tokens), 0) FROM totals WHERE organisation = ? AND project = ?"
                                + " AND key_id = '' AND gpu = '' AND period = 'MONTH' AND begins = ?)"
                                + " + (SELECT coalesce(sum(prompt_tokens::numeric - counted_prompt + new_tokens - counted_new), 0)"
                                + " FROM (" + UNCOUNTED_TEXTS
                                + ") u WHERE (?::text IS NULL OR project = ?) AND hour >= ? AND hour <= ?), "
                                + Long.MAX_VALUE + ")::bigint AS tokens",
                        row -> row.number("tokens"),
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

    /** The bytes of programs, logs and artefacts that an organisation has stored. */
    public static long bytes(Sql sql, String organisation) {
        return sql.one(
                        "SELECT ((SELECT coalesce(sum(bytes), 0) FROM totals WHERE organisation = ? AND project = '' AND key_id = ''"
                                + " AND gpu = '' AND period = 'LIFETIME') + (SELECT coalesce(sum(size - counted_size), 0)"
                                + " FROM contents WHERE organisation = ? AND uncounted))::bigint AS bytes",
                        row -> row.number("bytes"),
                        organisation,
                        organisation)
                .orElse(0L);
    }

    // ---- bills

    /** The days of a bill: from the first one, and before the last one. */
    public record Days(LocalDate from, LocalDate to) {
        /** The months within them, and the days that are in no such month. */
        Map<Period, List<Instant>> parts() {
            Map<Period, List<Instant>> parts =
                    new HashMap<>(Map.of(Period.MONTH, new ArrayList<>(), Period.DAY, new ArrayList<>()));
            LocalDate at = from;
            while (at.isBefore(to)) {
                boolean isMonth = at.getDayOfMonth() == 1 && !at.plusMonths(1).isAfter(to);
                parts.get(isMonth ? Period.MONTH : Period.DAY)
                        .add(at.atStartOfDay(ZoneOffset.UTC).toInstant());
                at = isMonth ? at.plusMonths(1) : at.plusDays(1);
            }
            return parts;
        }
    }

    /** The counted amounts of some days. */
    public record Sum(long nanos, long seconds, long tokenNanos, long tokens) {}

    /** The counted part of a bill. */
    public static Sum sum(Sql sql, String organisation, Optional<String> project, Days days) {
        Map<Period, List<Instant>> parts = days.parts();
        return sql.one(
                        "SELECT " + bounded("coalesce(sum(t.nanos), 0)") + " AS nanos, "
                                + bounded("coalesce(sum(t.seconds), 0)") + " AS seconds, "
                                + bounded("coalesce(sum(t.token_nanos), 0)") + " AS token_nanos, "
                                + bounded("coalesce(sum(t.tokens), 0)") + " AS tokens"
                                + " FROM (SELECT 'MONTH' AS period, unnest(?::text[])::timestamptz AS begins"
                                + " UNION ALL SELECT 'DAY', unnest(?::text[])::timestamptz) p"
                                + " CROSS JOIN LATERAL (SELECT * FROM totals t WHERE t.organisation = ? AND t.project = ? AND t.key_id = ''"
                                + " AND t.gpu = '' AND t.period = p.period AND t.begins = p.begins" + ONE_BY_ONE
                                + ") t",
                        row -> new Sum(
                                row.number("nanos"),
                                row.number("seconds"),
                                row.number("token_nanos"),
                                row.number("tokens")),
                        texts(parts.get(Period.MONTH), Instant::toString),
                        texts(parts.get(Period.DAY), Instant::toString),
                        organisation,
                        project.orElse(ALL))
                .orElseThrow();
    }

    /** The use and the cost of a machine on a day. */
    public record MachineDay(
            LocalDate day,
            UUID machine,
            String project,
            String gpu,
            Optional<String> deployment,
            long seconds,
            long nanos) {
        public Position position() {
            return new Position(day, machine);
        }

        public MachineDay plus(MachineDay other) {
            return new MachineDay(
                    day,
                    machine,
                    project,
                    gpu,
                    deployment,
                    seconds + other.seconds(),
                    Amounts.plus(nanos, other.nanos()));
        }
    }

    /** The days of a use, each with what it cost. */
    public static List<MachineDay> days(Uncounted one, Prices prices, Instant from, Instant to) {
        UsageRows.Used used = one.used();
        Instant begin = used.usage().from().isAfter(from) ? used.usage().from() : from;
        Instant end = used.usage().to().filter(over -> over.isBefore(to)).orElse(to);
        List<MachineDay> days = new ArrayList<>();
        for (Instant at = begin; at.isBefore(end); at = nextDay(at)) {
            Instant until = nextDay(at).isBefore(end) ? nextDay(at) : end;
            long nanos = Ledger.total(Ledger.charges(used.usage(), used.gpus(), prices.of(used.gpu()), at, until));
            long seconds = used.gpus()
                    * Duration.between(Ledger.second(at), Ledger.second(until)).toSeconds();
            days.add(new MachineDay(
                    day(at), used.machine(), used.project(), used.gpu(), one.deployment(), seconds, nanos));
        }
        return days;
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    private static Instant nextDay(Instant time) {
        return time.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    }

    /** The last row of a page of a bill. */
    public record Position(LocalDate day, UUID machine) implements Comparable<Position> {
        /** Ordered as the database orders them. */
        @Override
        public int compareTo(Position other) {
            int byDay = day.compareTo(other.day);
            return byDay != 0 ? byDay : machine.toString().compareTo(other.machine.toString());
        }
    }

    /** The counted days of machines, by day and machine, from behind one on. */
    public static List<MachineDay> page(
            Sql sql, String organisation, Optional<String> project, Days days, Optional<Position> after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("day >= ?", days.from())
                .and("day < ?", days.to());
        after.ifPresent(last -> filter.and("(day, machine) > (?, ?)", last.day(), last.machine()));
        return sql.query(
                "SELECT * FROM usage_days" + filter.text() + " ORDER BY day, machine LIMIT ?",
                row -> new MachineDay(
                        row.object("day", LocalDate.class),
                        row.object("machine", UUID.class),
                        row.text("project"),
                        row.text("gpu"),
                        row.optionalText("deployment"),
                        row.number("seconds"),
                        row.number("nanos")),
                filter.values(limit));
    }

    // ---- counting

    /** Organisations of which something is to be counted. The effort goes by their number. */
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
                    row -> row.text("organisation")));
        }
        return all;
    }

    /**
     * Counts what is not counted yet of an organisation, up to some hundred rows.
     *
     * @return whether there may be more
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

    /** Until the end of the transaction nobody else changes the totals of an organisation. */
    private static void lock(Sql sql, String organisation) {
        sql.one(
                "SELECT pg_advisory_xact_lock(hashtextextended('outpost totals of ' || ?, 0)) IS NULL AS is_locked",
                row -> row.flag("is_locked"),
                organisation);
    }

    private record Key(String project, String key, String gpu, Period period, Instant begins) {
        static Key of(String project, String key, String gpu, Period period, Instant at) {
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

    /** Into the totals of the project and key, of the project, of the key, and of the organisation. */
    private static void add(
            Map<Key, Amount> amounts, String project, String key, Instant at, Amount amount, Instant now) {
        for (String ofKey : key.isEmpty() ? List.of(ALL) : List.of(ALL, key)) {
            for (String ofProject : List.of(ALL, project)) {
                for (Period period : Period.values()) {
                    Key name = Key.of(ofProject, ofKey, ALL, period, at);
                    if (isRead(name, now)) {
                        amounts.merge(name, amount, Amount::plus);
                    }
                }
            }
        }
    }

    /** Budgets read the periods that go on, and bills read days and months of all keys. */
    private static boolean isRead(Key key, Instant now) {
        boolean isOfBill = key.key().isEmpty() && key.period() != Period.WEEK;
        return isOfBill || !key.begins().isBefore(key.period().begin(now.minus(1, ChronoUnit.DAYS)));
    }

    private static int countMachines(
            Sql sql, String organisation, FairShare fairShare, Map<Key, Amount> amounts, Instant now) {
        record Row(long id, Uncounted one) {}
        List<Row> rows = sql.query(
                "SELECT u.*, m.key_id, m.owner FROM (SELECT * FROM usages WHERE organisation = ? AND NOT counted"
                        + " AND to_at IS NOT NULL LIMIT " + BATCH + " FOR UPDATE SKIP LOCKED) u CROSS JOIN LATERAL"
                        + " (SELECT key_id, owner FROM machines WHERE id = u.machine" + ONE_BY_ONE + ") m",
                row -> new Row(row.number("id"), readUncounted(row)),
                organisation);
        if (rows.isEmpty()) {
            return 0;
        }
        Prices prices = UsageRows.allPrices(sql);
        Map<UUID, Map<LocalDate, MachineDay>> days = new HashMap<>();
        Map<String, Double> shares = new HashMap<>();
        for (Row row : rows) {
            UsageRows.Used used = row.one().used();
            FairShare.Use use =
                    new FairShare.Use(used.usage().from(), used.usage().to().orElseThrow(), used.gpus());
            shares.merge(used.project(), fairShare.decayed(List.of(use), now), Double::sum);
            for (MachineDay day : days(row.one(), prices, Instant.EPOCH, now)) {
                days.computeIfAbsent(day.machine(), machine -> new HashMap<>()).merge(day.day(), day, MachineDay::plus);
                Instant at = day.day().atStartOfDay(ZoneOffset.UTC).toInstant();
                add(amounts, day.project(), row.one().key(), at, Amount.ofMachine(day.nanos(), day.seconds()), now);
                for (String project : List.of(ALL, day.project())) {
                    amounts.merge(
                            Key.of(project, ALL, day.gpu(), Period.MONTH, at),
                            Amount.ofMachine(0, day.seconds()),
                            Amount::plus);
                }
            }
        }
        addDays(
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
                "SELECT *, nanos - counted_nanos AS more, "
                        + bounded("prompt_tokens::numeric - counted_prompt + new_tokens - counted_new") + " AS tokens"
                        + " FROM token_usages WHERE organisation = ? AND uncounted LIMIT " + BATCH
                        + " FOR UPDATE SKIP LOCKED",
                row -> new Row(
                        row.text("project"),
                        row.text("key_id"),
                        row.text("model"),
                        row.time("hour"),
                        row.number("nanos"),
                        row.number("prompt_tokens"),
                        row.number("new_tokens"),
                        row.number("tokens"),
                        row.number("more")),
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
                    texts(rows, Row::project),
                    texts(rows, Row::key),
                    texts(rows, Row::model),
                    texts(rows, row -> row.hour().toString()),
                    numbers(rows, Row::nanos),
                    numbers(rows, Row::prompt),
                    numbers(rows, Row::generated),
                    organisation);
        }
        return rows.size();
    }

    private static int countContents(Sql sql, String organisation, Map<Key, Amount> amounts) {
        record Row(UUID id, long size, long more) {}
        List<Row> rows = sql.query(
                "SELECT id, size, size - counted_size AS more FROM contents WHERE organisation = ? AND uncounted LIMIT "
                        + BATCH + " FOR UPDATE SKIP LOCKED",
                row -> new Row(row.object("id", UUID.class), row.number("size"), row.number("more")),
                organisation);
        if (!rows.isEmpty()) {
            addBytes(amounts, rows.stream().mapToLong(Row::more).sum());
            sql.update(
                    "UPDATE contents c SET counted_size = n.size FROM unnest(?::uuid[], ?::bigint[]) AS n (id, size)"
                            + " WHERE c.id = n.id",
                    rows.stream().map(Row::id).toList(),
                    numbers(rows, Row::size));
        }
        return rows.size();
    }

    private static void addBytes(Map<Key, Amount> amounts, long bytes) {
        amounts.merge(
                Key.of(ALL, ALL, ALL, Period.LIFETIME, Instant.EPOCH), new Amount(0, 0, 0, 0, bytes), Amount::plus);
    }

    /** Bytes of an organisation that were counted are there no more. */
    static void giveBack(Sql sql, String organisation, long bytes) {
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
                        + bounded("t.nanos::numeric + excluded.nanos")
                        + ", seconds = t.seconds + excluded.seconds, token_nanos = "
                        + bounded("t.token_nanos::numeric + excluded.token_nanos")
                        + ", tokens = " + bounded("t.tokens::numeric + excluded.tokens")
                        + ", bytes = t.bytes + excluded.bytes",
                organisation,
                texts(keys, Key::project),
                texts(keys, Key::key),
                texts(keys, Key::gpu),
                texts(keys, key -> key.period().name()),
                texts(keys, key -> key.begins().toString()),
                numbers(added, Amount::nanos),
                numbers(added, Amount::seconds),
                numbers(added, Amount::tokenNanos),
                numbers(added, Amount::tokens),
                numbers(added, Amount::bytes));
    }

    private static void addDays(Sql sql, String organisation, List<MachineDay> days) {
        if (days.isEmpty()) {
            return;
        }
        sql.update(
                "INSERT INTO usage_days AS d (organisation, day, machine, project, gpu, deployment, seconds, nanos)"
                        + " SELECT ?, day::date, machine, project, gpu, nullif(deployment, ''), seconds, nanos"
                        + " FROM unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])"
                        + " AS a (day, machine, project, gpu, deployment, seconds, nanos)"
                        + " ON CONFLICT (organisation, day, machine) DO UPDATE SET seconds = d.seconds + excluded.seconds, nanos = "
                        + bounded("d.nanos::numeric + excluded.nanos"),
                organisation,
                texts(days, day -> day.day().toString()),
                days.stream().map(MachineDay::machine).toList(),
                texts(days, MachineDay::project),
                texts(days, MachineDay::gpu),
                texts(days, day -> day.deployment().orElse("")),
                numbers(days, MachineDay::seconds),
                numbers(days, MachineDay::nanos));
    }

    // ---- turns in the queue

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

    /** The GPU seconds that each account of these organisations has used of late, each weighed by how long ago it was. */
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

    private static String bounded(String sum) {
        return "least(" + sum + ", " + Long.MAX_VALUE + ")::bigint";
    }

    private static <T> String[] texts(List<T> all, Function<T, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    private static <T> Long[] numbers(List<T> all, Function<T, Long> number) {
        return all.stream().map(number).toArray(Long[]::new);
    }
}
