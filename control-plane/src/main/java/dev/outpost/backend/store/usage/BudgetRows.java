package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.GpuKinds;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The table of budgets, and the spending of machines. */
public final class BudgetRows {
    private static final String OF = " WHERE organisation = ? AND project = ? AND key_id = ? AND period = ?";

    private BudgetRows() {}

    /**
     * A budget.
     *
     * @param reached the thresholds reached since {@code reachedFrom}, the beginning of a period
     */
    public record Stored(Budget budget, List<String> reached, Optional<Instant> reachedFrom, long version) {}

    /** Returns the budgets of an organisation, or of one of its projects, after a position, in a fixed order. */
    public static List<Stored> page(Sql sql, String organisation, Optional<String> project, Position after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("(project, key_id, period) > (?, ?, ?)", after);
        return sql.query(
                "SELECT * FROM budgets" + filter.text() + " ORDER BY project, key_id, period LIMIT ?",
                BudgetRows::read,
                filter.values(limit));
    }

    /** The position at which a page ends. */
    public record Position(String project, String key, String period) {
        public static final Position START = new Position("", "", "");

        public static Position of(Budget budget) {
            return new Position(
                    budget.project().orElse(""),
                    budget.key().orElse(""),
                    budget.period().name());
        }
    }

    public static Optional<Stored> find(Sql sql, Budget of) {
        return sql.one("SELECT * FROM budgets" + OF, BudgetRows::read, of.organisation(), Position.of(of));
    }

    /**
     * Locks and returns all budgets of an organisation, in a fixed order. So transactions that check budgets of one
     * organisation run one after the other.
     */
    public static List<Stored> lock(Sql sql, String organisation) {
        return sql.query(
                "SELECT * FROM budgets WHERE organisation = ? ORDER BY project, key_id, period FOR UPDATE",
                BudgetRows::read,
                organisation);
    }

    /** Returns all budgets of an organisation, without a lock. */
    public static List<Stored> all(Sql sql, String organisation) {
        return sql.query("SELECT * FROM budgets WHERE organisation = ?", BudgetRows::read, organisation);
    }

    public static boolean hasAny(Sql sql, String organisation) {
        return sql.exists("SELECT 1 FROM budgets WHERE organisation = ? LIMIT 1", organisation);
    }

    /** Returns the organisations that have budgets, or machines that still have the hold of a removed budget. */
    public static List<String> organisations(Sql sql) {
        return sql.query(
                "SELECT organisation FROM budgets UNION SELECT organisation FROM machines"
                        + " WHERE hold_until IS NOT NULL AND phase NOT IN ('ENDING', 'ENDED') ORDER BY organisation",
                String.class);
    }

    /**
     * Sets a budget. Thresholds that it reached before are notified again.
     *
     * @param version the version to change: 0 if the budget must not exist yet; empty for any version
     * @return false if the stored budget has another version
     */
    public static boolean set(Sql sql, Budget budget, Optional<Long> version) {
        List<String> thresholds =
                budget.thresholds().stream().map(BudgetThreshold::text).toList();
        if (version.filter(known -> known > 0).isPresent()) {
            return sql.update(
                            "UPDATE budgets SET cap_nanos = ?, thresholds = ?, reached = '{}', version = version + 1"
                                    + OF + " AND version = ?",
                            budget.capNanos(),
                            thresholds,
                            budget.organisation(),
                            Position.of(budget),
                            version)
                    == 1;
        }
        String conflict = version.isPresent()
                ? "DO NOTHING"
                : "DO UPDATE SET cap_nanos = excluded.cap_nanos, thresholds = excluded.thresholds, reached = '{}',"
                        + " version = b.version + 1";
        return sql.update(
                        "INSERT INTO budgets AS b (organisation, project, key_id, period, cap_nanos, thresholds)"
                                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (organisation, project, key_id, period) "
                                + conflict,
                        budget.organisation(),
                        Position.of(budget),
                        budget.capNanos(),
                        thresholds)
                == 1;
    }

    /** Removes a budget. Returns false if it does not exist, or has another version than {@code version}. */
    public static boolean remove(Sql sql, Budget of, Optional<Long> version) {
        return sql.update(
                        "DELETE FROM budgets" + OF + " AND version = coalesce(?, version)",
                        of.organisation(),
                        Position.of(of),
                        version)
                == 1;
    }

    public static void reach(Sql sql, Budget budget, List<String> reached, Instant from) {
        sql.update(
                "UPDATE budgets SET reached = ?, reached_from = ?" + OF,
                reached,
                from,
                budget.organisation(),
                Position.of(budget));
    }

    // ---- spending

    /** Returns the cost so far of the machines and texts that a budget covers, in the budget's present period. */
    public static long spent(Sql sql, Budget budget, Instant now) {
        return TotalRows.spending(sql, budget.organisation(), List.of(budget), now)
                .of(budget);
    }

    /** A machine that has not ended, and its cost in nano-units per second when it is ready. */
    public record Live(UUID id, String project, String key, long rate, Optional<Instant> holdUntil) {}

    /**
     * Returns the machines of an organisation that have not ended. A machine without a GPU yet costs as much as the dearest GPU that it may
     * get.
     */
    public static List<Live> live(Sql sql, String organisation, Instant now) {
        Prices prices = UsageRows.allPrices(sql);
        List<ClusterRows.Stored> clusters = ClusterRows.all(sql);
        return sql.query(
                "SELECT id, project, key_id, gpu, kind, cluster, gpus * members AS gpus, hold_until FROM machines"
                        + " WHERE organisation = ? AND phase NOT IN ('ENDING', 'ENDED') ORDER BY created_at, id",
                row -> new Live(
                        row.object("id", UUID.class),
                        row.text("project"),
                        row.text("key_id"),
                        Amounts.times(
                                row.number("gpus"),
                                prices.dearest(
                                        row.optionalText("cluster").isPresent()
                                                ? List.of(
                                                        row.optionalText("kind").orElse(row.text("gpu")))
                                                : possible(clusters, row.text("gpu")),
                                        now)),
                        row.optionalTime("hold_until")),
                organisation);
    }

    /** Returns the present cost per second of the dearest GPUs that a request may get. */
    public static long rate(Sql sql, String gpu, int gpus, Instant now) {
        return Amounts.times(gpus, UsageRows.allPrices(sql).dearest(possible(ClusterRows.all(sql), gpu), now));
    }

    /** Returns the present cost per hour of the dearest GPU that a request may get, in units of the currency. */
    public static BigDecimal perHour(Sql sql, String gpu, Instant now) {
        return UsageRows.allPrices(sql).dearestPerHour(possible(ClusterRows.all(sql), gpu), now);
    }

    /** Returns the kinds of GPU that a request for a name may get; the name itself if no cluster has such a kind. */
    private static Set<String> possible(List<ClusterRows.Stored> clusters, String gpu) {
        Set<String> kinds = clusters.stream()
                .flatMap(cluster -> GpuKinds.on(cluster.gpus(), gpu).stream())
                .collect(Collectors.toSet());
        return kinds.isEmpty() ? Set.of(gpu) : kinds;
    }

    public static void setKey(Sql sql, UUID machine, String key) {
        sql.update("UPDATE machines SET key_id = ? WHERE id = ?", key, machine);
    }

    /** Sets the end of a machine's hold, or removes the hold. Its grants are sent again with the new end. */
    public static void hold(Sql sql, UUID machine, Optional<Instant> until) {
        sql.update("UPDATE machines SET hold_until = ? WHERE id = ?", until, machine);
        sql.update(
                "UPDATE grants SET told = false, version = version + 1 WHERE machine = ? AND revoked_at IS NULL",
                machine);
    }

    private static Stored read(Sql.Row row) throws SQLException {
        String project = row.text("project");
        String key = row.text("key_id");
        return new Stored(
                new Budget(
                        row.text("organisation"),
                        Optional.of(project).filter(name -> !name.isEmpty()),
                        Optional.of(key).filter(id -> !id.isEmpty()),
                        BudgetPeriod.valueOf(row.text("period")),
                        row.number("cap_nanos"),
                        row.texts("thresholds").stream()
                                .map(BudgetThreshold::parse)
                                .toList()),
                row.texts("reached"),
                row.optionalTime("reached_from"),
                row.number("version"));
    }
}
