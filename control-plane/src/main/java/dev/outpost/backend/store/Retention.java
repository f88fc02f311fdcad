package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Removes expired rows, some in each transaction. */
public final class Retention {
    /** The maximum number of rows that a transaction removes. */
    private static final int BATCH = 50;

    /** The tables that refer to machines. Their rows are removed before the machine. */
    private static final List<String> OF_MACHINES = List.of(
            "machine_shares",
            "machine_secrets",
            "grant_reports",
            "grants",
            "machine_traces",
            "gateway_replicas",
            "replicas",
            "job_machines",
            "events",
            "usages");

    /** The shortest retention: budgets and quotas of a month are computed from rows. */
    private static final Duration LEAST = Duration.ofDays(31);

    private Retention() {}

    /**
     * The rows that a transaction checks.
     *
     * @param from the time at which the previous transaction ended, so that removed rows are not scanned again
     * @param before rows of this time and later ones are kept
     * @param limit the maximum number of rows to check
     */
    public record Span(Instant from, Instant before, int limit) {}

    /**
     * The outcome of a transaction.
     *
     * @param rows the number of checked rows; if it is below the limit, no rows are left
     * @param last the time of the last checked row
     */
    public record Step(int rows, Instant last) {}

    /** Removes expired rows of a table in one transaction. */
    @FunctionalInterface
    public interface Forgetting {
        Step apply(Sql sql, Span span);
    }

    /** Removes all expired rows, in as many transactions as needed. */
    public static void run(Database database, Duration kept, Forgetting forgetting) {
        Step step = new Step(BATCH, Instant.EPOCH);
        while (step.rows() >= BATCH) {
            Instant from = step.last();
            step = database.transact(
                    sql -> forgetting.apply(sql, new Span(from, sql.now().minus(kept), BATCH)));
        }
    }

    /** @throws IllegalArgumentException if machines would be removed within the month in which they count */
    public static void requireLongEnough(Duration kept) {
        if (kept.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException(
                    "keep-usage: expected 31 days or more, since budgets and quotas of a month count"
                            + " what it keeps, got " + kept);
        }
    }

    /** Removes ended machines. The totals already contain their costs. */
    public static Step forgetMachines(Sql sql, Span span) {
        record Over(UUID id, Instant since) {}
        List<Over> over = sql.query(
                "SELECT id, since FROM machines WHERE phase = 'ENDED' AND since >= ? AND since < ? AND NOT EXISTS"
                        + " (SELECT 1 FROM usages u WHERE u.organisation = machines.organisation AND u.machine = machines.id"
                        + " AND NOT u.counted AND u.to_at IS NOT NULL)"
                        + " ORDER BY since LIMIT ? FOR UPDATE SKIP LOCKED",
                row -> new Over(row.object("id", UUID.class), row.time("since")),
                span.from(),
                span.before(),
                span.limit());
        if (over.isEmpty()) {
            return new Step(0, span.from());
        }
        List<UUID> ids = over.stream().map(Over::id).toList();
        OF_MACHINES.forEach(table -> sql.update("DELETE FROM " + table + " WHERE machine = ANY (?)", ids));
        sql.update("UPDATE jobs SET machine = NULL WHERE machine = ANY (?)", ids);
        sql.update("DELETE FROM machines WHERE id = ANY (?)", ids);
        return new Step(over.size(), over.getLast().since());
    }

    /** Removes old administrative acts. */
    public static Step forgetActs(Sql sql, Span span) {
        return remove(sql, "audit", "true", "at", span);
    }

    /** Removes old days of bills. */
    public static Step forgetDays(Sql sql, Span span) {
        return remove(sql, "usage_days", "true", "day", "date", span);
    }

    /** Removes totals of old periods. Totals of a lifetime stay. */
    public static Step forgetTotals(Sql sql, Span span) {
        return remove(sql, "totals", "period <> 'LIFETIME'", "begins", span);
    }

    /**
     * Removes the oldest rows of a table that fulfil a condition.
     *
     * @param time the column with the time of a row; an index on it must exist
     */
    public static Step remove(Sql sql, String table, String condition, String time, Span span) {
        return remove(sql, table, condition, time, "timestamptz", span);
    }

    private static Step remove(Sql sql, String table, String condition, String time, String type, Span span) {
        return sql.one(
                        "WITH old AS MATERIALIZED (SELECT ctid AS place, " + time + " AS at FROM " + table + " WHERE "
                                + condition
                                + " AND " + time + " >= ?::text::" + type + " AND " + time + " < ?::text::" + type
                                + " ORDER BY " + time + " LIMIT ?), gone AS (DELETE FROM " + table
                                + " WHERE ctid = ANY (ARRAY(SELECT place FROM old)))"
                                + " SELECT count(*)::int AS rows, max(at)::timestamptz AS last FROM old",
                        row -> new Step(
                                row.integer("rows"), row.optionalTime("last").orElse(span.from())),
                        span.from().toString(),
                        span.before().toString(),
                        span.limit())
                .orElseThrow();
    }

    /**
     * Removes rows of a table that have a value in a column, and returns their number.
     *
     * @param order the column that follows {@code column} in an index, by which the rows are found
     */
    public static int removeOf(Sql sql, String table, String column, UUID value, String order, int limit) {
        return sql.update(
                "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + table + " WHERE " + column
                        + " = ? ORDER BY " + order + " LIMIT ?))",
                value,
                limit);
    }
}
