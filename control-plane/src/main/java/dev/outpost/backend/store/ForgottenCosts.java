package dev.outpost.backend.store;

import dev.outpost.backend.model.Amounts;
import dev.outpost.backend.model.Budget;
import dev.outpost.backend.model.Ledger;
import dev.outpost.backend.model.Prices;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The cost of machines whose rows were removed, in sums that budgets for a lifetime count. */
final class ForgottenCosts {
    private ForgottenCosts() {}

    private record Account(String organisation, String project, String key) {}

    private record Removed(Account account, UsageRows.Used used) {}

    /** Removes the usages of machines that ended before then, and keeps what they cost. */
    static void removeUsages(Sql sql, Instant before) {
        List<Removed> removed = sql.query(
                "DELETE FROM usages u USING machines m WHERE m.id = u.machine AND m.phase = 'ENDED' AND m.since < ?"
                        + " RETURNING u.*, m.key_id",
                ForgottenCosts::read,
                before);
        if (removed.isEmpty()) {
            return;
        }
        Prices prices = UsageRows.allPrices(sql);
        Instant now = sql.now();
        removed.stream()
                .collect(Collectors.groupingBy(
                        Removed::account, Collectors.reducing(0L, one -> cost(one.used(), prices, now), Amounts::plus)))
                .forEach((account, nanos) -> add(sql, account, nanos));
    }

    private static long cost(UsageRows.Used used, Prices prices, Instant now) {
        return Ledger.total(Ledger.charges(used.usage(), used.gpus(), prices.of(used.gpu()), Instant.EPOCH, now));
    }

    private static void add(Sql sql, Account account, long nanos) {
        sql.update(
                "INSERT INTO forgotten_costs AS f (organisation, project, key_id, nanos) VALUES (?, ?, ?, ?)"
                        + " ON CONFLICT (organisation, project, key_id) DO UPDATE SET"
                        + " nanos = least(f.nanos::numeric + excluded.nanos, 9223372036854775807)::bigint",
                account.organisation(),
                account.project(),
                account.key(),
                nanos);
    }

    /** Of the machines that a budget covers. */
    static long of(Sql sql, Budget budget) {
        return sql.one(
                        "SELECT least(coalesce(sum(nanos), 0), 9223372036854775807)::bigint AS nanos FROM forgotten_costs WHERE organisation = ?"
                                + " AND (?::text IS NULL OR project = ?) AND (?::text IS NULL OR key_id = ?)",
                        row -> row.number("nanos"),
                        budget.organisation(),
                        budget.coveredProject(),
                        budget.coveredProject(),
                        budget.key(),
                        budget.key())
                .orElseThrow();
    }

    private static Removed read(Sql.Row row) throws SQLException {
        return new Removed(
                new Account(row.text("organisation"), row.text("project"), row.text("key_id")), UsageRows.read(row));
    }
}
