package dev.outpost.backend.fleet;

import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.QuotaRows;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetWatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** The loops of one replica: rows that are due, the queue, and clusters that are looked at. */
public final class Fleet implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Fleet.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    /** A third of the shortest lease of a pool. */
    private static final Duration CLOCK_EVERY = Duration.ofSeconds(5);

    private static final Duration KEEP_EVERY = Duration.ofSeconds(5);

    private static final Duration LISTEN_EVERY = Duration.ofSeconds(5);
    private static final Duration HOUR = Duration.ofHours(1);

    /** Calls at once: each may need a connection of the database for a moment. */
    private static final int CALLS = 128;

    private static final int BATCH = 16;

    /** Calls of one cluster at once, give or take a batch: one that hangs leaves the others enough. */
    private static final int CALLS_OF_CLUSTER = 32;

    private final UUID replica = UUID.randomUUID();
    private final Database database;
    private final MachineReconciler machineReconciler;
    private final Admission admission;
    private final ClusterObserver observer;
    private final Deployments deployments;
    private final Pools pools;
    private final Jobs jobs;
    private final SilentRunners runners;
    private final Schedules schedules;
    private final Webhooks webhooks;
    private final Budgets budgets;
    private final Duration budgetEvery;
    private final Totals totals;
    private final Reporter reporter;
    private final Duration reportEvery;
    private final Suppliers suppliers;
    private final Duration observeEvery;
    private final Wakeups wakeups;
    private final Runnable housekeeping;
    private final Map<String, Watched> watches = new HashMap<>();
    private final Semaphore calls = new Semaphore(CALLS);
    private final Map<String, Integer> callsOfClusters = new ConcurrentHashMap<>();
    private final Set<String> observed = ConcurrentHashMap.newKeySet();
    private final List<ReconcileLoop> loops = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private record Watched(long version, FleetWatch watch) {}

    /** @param housekeeping what is done now and then besides: removing what is old */
    public Fleet(
            Database database,
            MachineReconciler machineReconciler,
            Admission admission,
            ClusterObserver observer,
            Deployments deployments,
            Pools pools,
            Jobs jobs,
            SilentRunners runners,
            Schedules schedules,
            Webhooks webhooks,
            Budgets budgets,
            Duration budgetEvery,
            Totals totals,
            Reporter reporter,
            Duration reportEvery,
            Suppliers suppliers,
            Duration observeEvery,
            Wakeups wakeups,
            Runnable housekeeping) {
        this.database = database;
        this.machineReconciler = machineReconciler;
        this.admission = admission;
        this.observer = observer;
        this.deployments = deployments;
        this.pools = pools;
        this.jobs = jobs;
        this.runners = runners;
        this.schedules = schedules;
        this.webhooks = webhooks;
        this.budgets = budgets;
        this.budgetEvery = budgetEvery;
        this.totals = totals;
        this.reporter = reporter;
        this.reportEvery = reportEvery;
        this.suppliers = suppliers;
        this.observeEvery = observeEvery;
        this.wakeups = wakeups;
        this.housekeeping = housekeeping;
    }

    public void start() {
        ReconcileLoop driving = new ReconcileLoop("driver", SOON, this::drive);
        ReconcileLoop admitting = new ReconcileLoop("admission", SOON, this::admit);
        ReconcileLoop observing = new ReconcileLoop("observer", observeEvery, this::observe);
        wakeups.connect(driving::wake, admitting::wake, observing::wake);
        ReconcileLoop forgetting = new ReconcileLoop("housekeeping", HOUR, housekeeping);
        ReconcileLoop reporting = new ReconcileLoop("reporter", reportEvery, () -> reporter.round(replica));
        ReconcileLoop deploying = new ReconcileLoop("deployments", SOON, deployments::round);
        ReconcileLoop pooling = new ReconcileLoop("pools", SOON, pools::round);
        ReconcileLoop keeping = new ReconcileLoop("keeper", KEEP_EVERY, () -> reporter.keep(replica));
        ReconcileLoop budgeting = new ReconcileLoop("budgets", budgetEvery, budgets::round);
        ReconcileLoop running = new ReconcileLoop("jobs", SOON, jobs::round);
        ReconcileLoop scheduling = new ReconcileLoop("schedules", SOON, schedules::round);
        ReconcileLoop listening = new ReconcileLoop("runners", LISTEN_EVERY, runners::round);
        ReconcileLoop counting = new ReconcileLoop("quotas", SOON, () -> QuotaRows.fold(database));
        ReconcileLoop summing = new ReconcileLoop("totals", SOON, totals::round);
        ReconcileLoop telling = new ReconcileLoop("webhooks", SOON, webhooks::round);
        ReconcileLoop timing = new ReconcileLoop("clock", CLOCK_EVERY, new ClockSteps(database)::round);
        wakeups.connect(deploying::wake, pooling::wake);
        wakeups.connectJobs(
                () -> {
                    scheduling.wake();
                    running.wake();
                },
                telling::wake);
        loops.addAll(List.of(
                driving,
                admitting,
                observing,
                deploying,
                pooling,
                running,
                scheduling,
                listening,
                telling,
                counting,
                summing,
                keeping,
                timing,
                budgeting,
                forgetting,
                reporting));
        loops.forEach(ReconcileLoop::start);
    }

    /** Calls of several rows go on at once: one slow cluster does not hold up the others. */
    private void drive() {
        boolean isMore = true;
        while (isMore && calls.tryAcquire(BATCH)) {
            List<MachineReconciler.Claim> claims = claim();
            calls.release(BATCH - claims.size());
            claims.forEach(claim -> claim.cluster().ifPresent(name -> callsOfClusters.merge(name, 1, Integer::sum)));
            claims.forEach(claim -> threads.execute(() -> work(claim)));
            isMore = claims.size() == BATCH;
        }
    }

    private List<MachineReconciler.Claim> claim() {
        try {
            return machineReconciler.claim(BATCH, busyClusters());
        } catch (RuntimeException failure) {
            calls.release(BATCH);
            throw failure;
        }
    }

    private List<String> busyClusters() {
        return callsOfClusters.entrySet().stream()
                .filter(cluster -> cluster.getValue() >= CALLS_OF_CLUSTER)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void work(MachineReconciler.Claim claim) {
        try {
            machineReconciler.work(claim);
        } catch (RuntimeException failure) {
            // The row is due again when its lock has expired.
            LOG.warnf("machine %s: %s", claim.machine(), failure);
        } finally {
            claim.cluster()
                    .ifPresent(name ->
                            callsOfClusters.computeIfPresent(name, (cluster, count) -> count == 1 ? null : count - 1));
            calls.release();
        }
    }

    private void admit() {
        if (admission.admit() > 0) {
            wakeups.driver();
        }
    }

    private void observe() {
        List<ClusterRows.Stored> clusters = database.transact(ClusterRows::all);
        dropWatches(clusters.stream().map(ClusterRows.Stored::name).collect(Collectors.toSet()));
        clusters.stream().filter(cluster -> observed.add(cluster.name())).forEach(this::observeInBackground);
    }

    /** One that hangs does not hold up the others, and is not looked at twice at a time. */
    private void observeInBackground(ClusterRows.Stored cluster) {
        threads.execute(() -> {
            try {
                observe(cluster);
                wakeups.driver();
                wakeups.admission();
            } catch (RuntimeException failure) {
                LOG.warnf("cluster %s could not be observed: %s", cluster.name(), failure);
            } finally {
                observed.remove(cluster.name());
            }
        });
    }

    private void observe(ClusterRows.Stored cluster) {
        boolean isMine = database.transact(
                sql -> ClusterRows.observe(sql, cluster.name(), replica, observeEvery.multipliedBy(3)));
        if (isMine) {
            watch(cluster);
            observer.observe(cluster);
        } else {
            dropWatch(cluster.name());
        }
    }

    private synchronized void watch(ClusterRows.Stored cluster) {
        Watched known = watches.get(cluster.name());
        if (known != null && known.version() == cluster.version()) {
            return;
        }
        dropWatch(cluster.name());
        try {
            FleetWatch watch = suppliers.fleet(cluster).watch(observation -> {
                observer.take(observation);
                wakeups.driver();
                wakeups.admission();
            });
            watches.put(cluster.name(), new Watched(cluster.version(), watch));
        } catch (FleetException failure) {
            LOG.debugf("cluster %s is not watched: %s", cluster.name(), failure.getMessage());
        }
    }

    private synchronized void dropWatches(Set<String> kept) {
        List.copyOf(watches.keySet()).stream()
                .filter(name -> !kept.contains(name))
                .forEach(this::dropWatch);
    }

    private synchronized void dropWatch(String cluster) {
        Watched known = watches.remove(cluster);
        if (known != null) {
            known.watch().close();
        }
    }

    /** Starts another loop, which ends with the others. */
    public void start(ReconcileLoop other) {
        loops.add(other.start());
    }

    /** Loops that do not do their work, by their names: why not. */
    public Map<String, String> silentLoops() {
        Map<String, String> silent = new TreeMap<>();
        loops.forEach(loop -> loop.silence()
                .ifPresent(time -> silent.put(
                        loop.name(),
                        "has not run for " + time.toSeconds() + " s"
                                + loop.failure()
                                        .map(why -> "; its last run failed: " + why)
                                        .orElse(""))));
        return silent;
    }

    /** True if the loops were started. */
    public boolean isStarted() {
        return !loops.isEmpty();
    }

    @Override
    public void close() {
        reporter.close();
        loops.forEach(ReconcileLoop::stop);
        loops.forEach(ReconcileLoop::close);
        threads.close();
        webhooks.close();
        dropWatches(Set.of());
        suppliers.close();
    }
}
