package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.cluster.ClusterObserver;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.rest.cluster.ClusterState;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** The parts of one replica, driven step by step by a test. */
public final class Backend {
    static final Duration LOCK = Duration.ofSeconds(30);

    /** Keys of runners of paper jobs. */
    static final RunnerKeys RUNNERS = new RunnerKeys(
            new SealKeys(SealKeys.draw(new SecureRandom()), new SecureRandom()),
            () -> URI.create("http://127.0.0.1:1"),
            Optional::empty);

    public final Database database;
    public final Machines machines = new Machines(MachineRequestFixtures.SETTINGS);
    final CallCounts counts = new CallCounts();
    final MachineReconciler machineReconciler;
    public final Admission admission;
    public final ClusterObserver observer;
    public final Pools pools;
    public final Jobs jobs;
    public final Deployments deployments;
    public final Budgets budgets;
    public final MachineCreation machineCreation;

    /** Creates a backend that uses the database's clock. */
    public Backend(DataSource source, FleetProvider provider) {
        this(source, provider, Duration.ofHours(1), nanos(new Database(source)));
    }

    private static LongSupplier nanos(Database database) {
        return () ->
                Duration.between(Instant.EPOCH, database.transact(Sql::now)).toNanos();
    }

    /**
     * @param horizon the horizon of budgets
     * @param nanos a monotonic clock
     */
    public Backend(DataSource source, FleetProvider provider, Duration horizon, LongSupplier nanos) {
        this.database = new Database(source);
        Suppliers suppliers = new Suppliers("test", List.of(provider));
        // Simulated machines do not answer.
        MachineManager manager = new MachineManager(Optional.empty());
        this.machineReconciler = new MachineReconciler(
                database,
                machines,
                MachineRequestFixtures.SETTINGS,
                suppliers,
                GpuCatalogue.standard(),
                manager,
                counts,
                LOCK,
                MachineSpans.NONE,
                RUNNERS);
        this.admission = new Admission(database, machines, new FairShare(Duration.ofHours(24)));
        this.pools = new Pools(database, machines, new Wakeups());
        this.budgets = new Budgets(database, machines, new Wakeups(), horizon, Duration.ofSeconds(5), 20);
        this.machineCreation = new MachineCreation(machines, budgets);
        this.deployments = new Deployments(database, machines, new Wakeups(), budgets);
        this.jobs = new Jobs(
                database,
                machines,
                new Wakeups(),
                budgets,
                RUNNERS,
                Duration.ofMinutes(5),
                Duration.ofMinutes(15),
                nanos);
        this.observer = new ClusterObserver(database, machines, suppliers, Duration.ofSeconds(60));
    }

    public void addCluster(String name, int room, String... gpus) {
        database.run(sql -> ClusterRows.add(
                sql, ClusterRows.Stored.active(name, "paper", List.of(gpus), OptionalInt.of(room), Map.of())));
    }

    public void setState(String name, ClusterState state) {
        database.run(sql -> ClusterRows.update(
                sql, ClusterRows.find(sql, name).orElseThrow().withState(state)));
    }

    /** Runs one round of all its loops. */
    public void round() {
        admission.admit();
        drive();
        observe();
        drive();
    }

    public void drive() {
        machineReconciler.claim(16).forEach(machineReconciler::work);
    }

    public void observe() {
        database.transact(ClusterRows::all).forEach(observer::observe);
    }

    public Machine machine(UUID id) {
        return database.transact(sql -> MachineRows.find(sql, id)).orElseThrow();
    }

    void end(UUID id) {
        database.run(sql -> machines.apply(sql, id, new Observation.EndAsked("ada asked for it")));
    }
}
