package dev.outpost.backend.simulation;

import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** Inserts the organisations, projects, clusters, pools, prices, quotas and budgets of a scenario. */
final class ScenarioSetup {
    /** Every tenth organisation has a budget. */
    private static final int BUDGETS = 10;

    private static final int NOTIFY_PERCENT = 80;
    private static final int END_PERCENT = 100;
    private static final Duration POOL_IDLE = Duration.ofMinutes(15);

    private ScenarioSetup() {}

    static void set(Database database, Scenario scenario, Instant now) {
        database.run(sql -> {
            projects(sql, scenario);
            budgets(sql, scenario);
            scenario.room().forEach((gpu, machines) -> clusters(sql, gpu, machines));
            scenario.pools().forEach(size -> pool(sql, size, now));
            scenario.prices().forEach((gpu, price) -> UsageRows.set(sql, Price.perHour(gpu, Instant.EPOCH, price)));
        });
    }

    private static void projects(Sql sql, Scenario scenario) {
        TreeSet<String> known = new TreeSet<>();
        for (Arrival arrival : scenario.arrivals()) {
            if (known.add(arrival.account())) {
                TenantRows.addOrganisation(sql, arrival.organisation());
                TenantRows.addProject(sql, arrival.organisation(), arrival.project(), 0);
                scenario.quota()
                        .ifPresent(gpus -> QuotaRows.set(
                                sql,
                                arrival.organisation(),
                                Optional.of(arrival.project()),
                                new QuotaLimit(QuotaScope.PROJECT, QuotaResource.GPUS, Optional.empty(), gpus),
                                Optional.empty()));
            }
        }
    }

    private static void budgets(Sql sql, Scenario scenario) {
        List<String> organisations = organisations(scenario);
        for (int i = 0; i < organisations.size(); i += BUDGETS) {
            String organisation = organisations.get(i);
            scenario.budget().ifPresent(cap -> BudgetRows.set(sql, budget(organisation, cap), Optional.empty()));
        }
    }

    static List<String> organisations(Scenario scenario) {
        return scenario.arrivals().stream()
                .map(Arrival::organisation)
                .distinct()
                .sorted()
                .toList();
    }

    private static Budget budget(String organisation, BigDecimal cap) {
        return new Budget(
                organisation,
                Optional.empty(),
                Optional.empty(),
                BudgetPeriod.DAY,
                cap.movePointRight(9).longValueExact(),
                List.of(
                        new BudgetThreshold(NOTIFY_PERCENT, BudgetAction.NOTIFY),
                        new BudgetThreshold(END_PERCENT, BudgetAction.END)));
    }

    /** Makes two clusters of each kind, so that one can be unreachable while the other serves. */
    private static void clusters(Sql sql, String gpu, int machines) {
        cluster(sql, gpu, "1", machines - machines / 2);
        cluster(sql, gpu, "2", machines / 2);
    }

    private static void cluster(Sql sql, String gpu, String number, int machines) {
        String name = gpu.toLowerCase(Locale.ROOT) + "-" + number;
        ClusterRows.add(
                sql,
                ClusterRows.Stored.active(
                        name,
                        SimulatedSupplier.NAME,
                        List.of(gpu),
                        OptionalInt.of(machines),
                        Map.of(SimulatedSupplier.CLUSTER, name)));
    }

    private static void pool(Sql sql, PoolSize size, Instant now) {
        PoolRows.insert(
                sql,
                new Pool(
                        size.name(),
                        1,
                        size.gpu(),
                        size.min(),
                        size.max(),
                        POOL_IDLE,
                        Requesters.lease(),
                        false,
                        0,
                        Optional.empty(),
                        now,
                        "it is new"),
                now);
    }
}
