package dev.outpost.backend.simulation;

import dev.outpost.backend.fleet.Admission;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.fleet.CallCounts;
import dev.outpost.backend.fleet.MachineCreation;
import dev.outpost.backend.fleet.MachineManager;
import dev.outpost.backend.fleet.MachineReconciler;
import dev.outpost.backend.fleet.MachineSpans;
import dev.outpost.backend.fleet.Pools;
import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.fleet.Totals;
import dev.outpost.backend.fleet.cluster.ClusterObserver;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.GpuCatalogue;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import javax.sql.DataSource;

/**
 * One run of a scenario: a replica of the backend without threads. The simulation calls the loops in turn each time
 * the clock has moved. Not thread-safe.
 */
final class Simulation {
    private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
    private static final LifeSettings LIFE = new LifeSettings(Duration.ofMinutes(15), Duration.ofMinutes(1));
    private static final Duration LOCK = Duration.ofSeconds(20);
    private static final Duration ORPHAN_GRACE = Duration.ofSeconds(60);
    private static final Duration OBSERVE_EVERY = Duration.ofSeconds(30);
    private static final Duration BUDGETS_EVERY = Duration.ofMinutes(1);
    /** The interval at which the queue is checked even if nothing has happened that could admit a request. */
    private static final Duration ADMIT_EVERY = Duration.ofMinutes(1);

    private static final Duration SAMPLE_EVERY = Duration.ofMinutes(5);
    private static final Duration HORIZON = Duration.ofHours(1);
    private static final int MAX_FAILURES = 20;
    private static final int BATCH = 64;

    /** The time at the end in which all clusters answer again and end their machines. */
    private static final Duration LAST = Duration.ofHours(1);

    private final Scenario scenario;
    private final Database backend;
    private final VirtualClock clock;
    private final SimulatedSupplier supplier;
    private final Random kills;
    private final MachineReconciler machineReconciler;
    private final Admission admission;
    private final ClusterObserver observer;
    private final Pools pools;
    private final Budgets budgets;
    private final Totals totals;
    private final Requesters requesters;
    private final SimulationMeter simulationMeter;

    /** True if something has happened since the queue was last checked. */
    private boolean isNews;

    Simulation(Scenario scenario, DataSource source) {
        this.scenario = scenario;
        this.backend = new Database(source);
        Database own = new Database(source);
        this.clock = VirtualClock.install(own, START);
        this.supplier = new SimulatedSupplier(clock, scenario.faults(), scenario.seed());
        this.kills = new Random(scenario.seed());
        ScenarioSetup.set(own, scenario, clock.instant());
        Suppliers suppliers = new Suppliers("simulation", List.of(supplier));
        Machines machines = new Machines(LIFE);
        Wakeups wakeups = new Wakeups();
        this.machineReconciler = new MachineReconciler(
                backend,
                machines,
                LIFE,
                suppliers,
                GpuCatalogue.standard(),
                new MachineManager(Optional.empty()),
                new CallCounts(),
                LOCK,
                MachineSpans.NONE,
                // Simulated requests are for machines without jobs.
                new RunnerKeys(
                        SealKeys.none(new SecureRandom()), () -> URI.create("http://127.0.0.1:1"), Optional::empty));
        FairShare fairShare = new FairShare(scenario.halfLife());
        this.admission = new Admission(backend, machines, fairShare);
        this.totals = new Totals(backend, fairShare);
        this.observer = new ClusterObserver(backend, machines, suppliers, ORPHAN_GRACE);
        this.pools = new Pools(backend, machines, wakeups);
        this.budgets = new Budgets(backend, machines, wakeups, HORIZON, BUDGETS_EVERY, MAX_FAILURES);
        this.requesters = new Requesters(
                backend,
                own,
                machines,
                new MachineCreation(machines, budgets),
                START,
                scenario.arrivals(),
                scenario.seed());
        this.simulationMeter = new SimulationMeter(own, scenario, supplier, START);
    }

    SimulationOutcome run(SimulationProgress progress) {
        long began = System.nanoTime();
        Instant end = START.plus(scenario.time());
        while (clock.instant().isBefore(end) || !requesters.isDone()) {
            step();
            progress.at(Duration.between(START, clock.instant()), scenario.time(), requesters.requests());
        }
        backend.run(sql -> PoolRows.page(sql, "", scenario.pools().size()).forEach(pool -> {
            pools.endMembers(sql, pool);
            PoolRows.delete(sql, pool.name());
        }));
        Instant last = clock.instant().plus(LAST);
        while (clock.instant().isBefore(last) && !supplier.isEmpty()) {
            step();
        }
        return simulationMeter.outcome(
                requesters, backend.statements(), clock.instant(), Duration.ofNanos(System.nanoTime() - began));
    }

    private void step() {
        clock.advance(scenario.step());
        supplier.advance(observation -> {
            isNews = true;
            observer.take(observation);
        });
        isNews |= requesters.act(clock.instant());
        if (isNews || isTime(ADMIT_EVERY)) {
            admission.admit();
        }
        isNews = drive();
        if (!scenario.pools().isEmpty()) {
            pools.round();
        }
        if (isTime(OBSERVE_EVERY)) {
            observe();
        }
        if (isTime(BUDGETS_EVERY)) {
            budgets.round();
            QuotaRows.fold(backend);
            totals.round();
        }
        if (isTime(SAMPLE_EVERY)) {
            simulationMeter.sample(clock.instant());
        }
    }

    /** Observes all clusters, except those that have no machines and no rows of machines. */
    private void observe() {
        Map<String, Integer> rows = backend.transact(ClusterRows::counts);
        backend.transact(ClusterRows::all).stream()
                .filter(cluster -> rows.containsKey(cluster.name())
                        || cluster.trouble().isPresent()
                        || supplier.isWorthALook(cluster.name()))
                .forEach(observer::observe);
    }

    /** True if the last step passed a multiple of the period. */
    private boolean isTime(Duration period) {
        long now = Duration.between(START, clock.instant()).toMillis();
        long before = now - scenario.step().toMillis();
        return now / period.toMillis() > before / period.toMillis();
    }

    /** Works on due rows. Returns true if any was due. A row whose replica is killed stays locked for a while. */
    private boolean drive() {
        boolean isAnyDue = false;
        List<MachineReconciler.Claim> claims;
        do {
            claims = machineReconciler.claim(BATCH);
            isAnyDue |= !claims.isEmpty();
            claims.stream()
                    .filter(claim -> kills.nextDouble() >= scenario.faults().killedReplicas())
                    .forEach(machineReconciler::work);
        } while (claims.size() == BATCH);
        return isAnyDue;
    }
}
