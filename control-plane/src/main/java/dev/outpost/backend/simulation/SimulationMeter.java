package dev.outpost.backend.simulation;

import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Measures a simulation by its database and its clusters. Not thread-safe. */
final class SimulationMeter {
    private static final double SECONDS_AN_HOUR = 3600;

    private final Database database;
    private final Scenario scenario;
    private final SimulatedSupplier supplier;
    private final Instant start;
    private final List<SimulationOutcome.Sample> samples = new ArrayList<>();
    private final Map<String, Instant> orphanSince = new HashMap<>();
    private final Set<String> overshot = new HashSet<>();
    private Duration longestOrphan = Duration.ZERO;

    SimulationMeter(Database database, Scenario scenario, SimulatedSupplier supplier, Instant start) {
        this.database = database;
        this.scenario = scenario;
        this.supplier = supplier;
        this.start = start;
    }

    /** Takes a sample. Called every few simulated minutes. */
    void sample(Instant now) {
        database.run(sql -> {
            count(sql, now);
            noteOrphans(orphans(sql), now);
            noteOvershoots(sql, now);
        });
    }

    private void count(Sql sql, Instant now) {
        Map<String, Integer> used = counts(sql, "organisation <> ?");
        Map<String, Integer> warm = counts(sql, "organisation = ?");
        scenario.room()
                .forEach((gpu, room) -> samples.add(new SimulationOutcome.Sample(
                        Duration.between(start, now),
                        gpu,
                        used.getOrDefault(gpu, 0),
                        warm.getOrDefault(gpu, 0),
                        room)));
    }

    private static Map<String, Integer> counts(Sql sql, String whose) {
        return sql
                .query(
                        "SELECT gpu, count(*)::int AS machines FROM machines WHERE phase = 'READY' AND " + whose
                                + " GROUP BY gpu",
                        row -> Map.entry(row.text("gpu"), row.integer("machines")),
                        Pool.ORGANISATION)
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns the machines of clusters that have no live row and are not ending. */
    private Set<String> orphans(Sql sql) {
        Set<String> live = new HashSet<>(sql.query(
                "SELECT coalesce(member, id)::text AS id FROM machines"
                        + " WHERE phase NOT IN ('QUOTA', 'POSITION', 'CAPACITY', 'ENDED')",
                row -> row.text("id")));
        Set<String> orphans = new HashSet<>();
        for (MachineObservation observation : supplier.truth()) {
            boolean isOver = observation.state() == MachinePhase.ENDING;
            if (!isOver && !live.contains(observation.machine().id())) {
                orphans.add(observation.machine().id());
            }
        }
        return orphans;
    }

    private void noteOrphans(Set<String> orphans, Instant now) {
        orphanSince.keySet().retainAll(orphans);
        orphans.forEach(id -> orphanSince.putIfAbsent(id, now));
        orphanSince.values().stream()
                .map(since -> Duration.between(since, now))
                .filter(age -> age.compareTo(longestOrphan) > 0)
                .forEach(age -> longestOrphan = age);
    }

    private void noteOvershoots(Sql sql, Instant now) {
        for (String organisation : ScenarioSetup.organisations(scenario)) {
            BudgetRows.page(sql, organisation, Optional.empty(), BudgetRows.Position.START, 1).stream()
                    .map(BudgetRows.Stored::budget)
                    .filter(budget -> BudgetRows.spent(sql, budget, now) > budget.capNanos())
                    .forEach(budget -> overshot.add(budget.name() + " of " + organisation));
        }
    }

    SimulationOutcome outcome(Requesters requesters, long statements, Instant now, Duration realTime) {
        sample(now);
        return database.transact(sql -> {
            Prices prices = UsageRows.allPrices(sql);
            List<UsageRows.Used> asked = ScenarioSetup.organisations(scenario).stream()
                    .flatMap(name -> used(sql, name, now).stream())
                    .toList();
            List<UsageRows.Used> warm = used(sql, Pool.ORGANISATION, now);
            return new SimulationOutcome(
                    requesters.waits(),
                    requesters.requests(),
                    requesters.refused(),
                    requesters.cut(),
                    requesters.failed(),
                    List.copyOf(samples),
                    costs(asked, prices, now),
                    costs(warm, prices, now),
                    hours(asked, now) + hours(warm, now),
                    statements,
                    orphans(sql).size(),
                    longestOrphan,
                    overshot.size(),
                    Duration.between(start, now),
                    realTime);
        });
    }

    private List<UsageRows.Used> used(Sql sql, String organisation, Instant now) {
        return UsageRows.overlapping(sql, organisation, Optional.empty(), start, now);
    }

    private Map<String, BigDecimal> costs(List<UsageRows.Used> all, Prices prices, Instant now) {
        Map<String, Long> nanos = new TreeMap<>();
        all.forEach(used -> nanos.merge(
                used.gpu(),
                Ledger.total(Ledger.charges(used.usage(), used.gpus(), prices.of(used.gpu()), start, now)),
                Math::addExact));
        Map<String, BigDecimal> costs = new TreeMap<>();
        nanos.forEach((gpu, sum) -> costs.put(gpu, BigDecimal.valueOf(sum, 9)));
        return costs;
    }

    private static double hours(List<UsageRows.Used> all, Instant now) {
        return all.stream()
                        .mapToLong(used -> Duration.between(
                                        used.usage().from(), used.usage().to().orElse(now))
                                .toSeconds())
                        .sum()
                / SECONDS_AN_HOUR;
    }
}
