package dev.outpost.backend;

import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.RateLimits;
import dev.outpost.backend.api.event.EventFeed;
import dev.outpost.backend.api.machine.Endpoints;
import dev.outpost.backend.fleet.Admission;
import dev.outpost.backend.fleet.Budgets;
import dev.outpost.backend.fleet.CallCounts;
import dev.outpost.backend.fleet.ClockSteps;
import dev.outpost.backend.fleet.Deployments;
import dev.outpost.backend.fleet.FreeGpus;
import dev.outpost.backend.fleet.Housekeeping;
import dev.outpost.backend.fleet.Jobs;
import dev.outpost.backend.fleet.MachineDriver;
import dev.outpost.backend.fleet.MachineManager;
import dev.outpost.backend.fleet.MachineReconciler;
import dev.outpost.backend.fleet.MachineSecrets;
import dev.outpost.backend.fleet.MachineSpans;
import dev.outpost.backend.fleet.Pools;
import dev.outpost.backend.fleet.Reporter;
import dev.outpost.backend.fleet.Resealing;
import dev.outpost.backend.fleet.RunnerKeys;
import dev.outpost.backend.fleet.Schedules;
import dev.outpost.backend.fleet.SilentRunners;
import dev.outpost.backend.fleet.Totals;
import dev.outpost.backend.fleet.Webhooks;
import dev.outpost.backend.fleet.cluster.ClusterLogs;
import dev.outpost.backend.fleet.cluster.ClusterObserver;
import dev.outpost.backend.fleet.cluster.ClusterWatches;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.fleet.loop.Fleet;
import dev.outpost.backend.fleet.loop.Reconciler;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.identity.Issuer;
import dev.outpost.backend.identity.Login;
import dev.outpost.backend.identity.RoleMap;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.LifeSettings;
import dev.outpost.backend.outbound.TenantHttp;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.IdempotencyRows;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.SessionRows;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.backup.Restore;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.job.AttemptRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.TokenRows;
import dev.outpost.backend.store.usage.UseRows;
import dev.outpost.backend.worker.WorkerFleets;
import dev.outpost.backend.worker.WorkerSignals;
import dev.outpost.backend.worker.WorkerStateSync;
import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.channel.guard.ConnectionLimits;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.relay.name.RelayNames;
import dev.outpost.relay.name.RelaySecret;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Makes the parts of a backend from its configuration. */
final class BackendBeans {
    /** The time for which an Idempotency-Key is remembered. */
    private static final Duration KEEP_ANSWERS = Duration.ofHours(24);

    /** The time for which shown keys and keys of ended logins are kept. It is longer than the time in which a gateway may bill them. */
    private static final Duration KEEP_SHOWN = Duration.ofDays(8);

    /** The time for which samples of the use of machines are kept. */
    private static final Duration KEEP_SAMPLES = Duration.ofDays(35);

    /** The period of loops that must run often: a third of the shortest lease of a pool. */
    private static final Duration OFTEN = Duration.ofSeconds(5);

    private static final Duration HOUR = Duration.ofHours(1);

    /** Restores a backup before anything is read, because it contains the name of the installation. */
    @Produces
    @Singleton
    static Database database(BackendConfig config, DataSource source, MeterRegistry meters) throws IOException {
        Database database = new Database(source);
        if (config.restore().isPresent()) {
            Restore.read(database, config.restore().get());
        }
        FunctionCounter.builder("outpost.sql.statements", database, Database::statements)
                .description("Statements that were sent to the database, besides those that end transactions")
                .register(meters);
        return database;
    }

    @Produces
    @Singleton
    static LifeSettings settings(BackendConfig config) {
        return new LifeSettings(config.startTimeout(), config.lostGrace(), config.waitLimit());
    }

    @Produces
    @Singleton
    static Machines machines(LifeSettings settings) {
        return new Machines(settings);
    }

    @Produces
    @Singleton
    static GpuCatalogue catalogue() {
        return GpuCatalogue.configured();
    }

    @Produces
    @Singleton
    static Suppliers suppliers(BackendConfig config, Database database, WorkerSignals signals) {
        return new Suppliers(
                installation(config, database),
                ServiceLoader.load(FleetProvider.class),
                new WorkerFleets(database, signals));
    }

    @Produces
    @Singleton
    static WorkerSignals signals() {
        return new WorkerSignals();
    }

    @Produces
    @Singleton
    static WorkerStateSync desk(BackendConfig config, Database database, WorkerSignals signals, SealKeys seals) {
        return new WorkerStateSync(database, installation(config, database), signals, seals);
    }

    private static String installation(BackendConfig config, Database database) {
        return config.installation().orElseGet(() -> database.transact(ClusterRows::installation));
    }

    @Produces
    @Singleton
    static TenantHttp tenantHttp(BackendConfig config, Vertx vertx) {
        return new TenantHttp(
                vertx, PublicAddresses.allowing(config.privateEndpoints().orElse("")));
    }

    /** Closes the HTTP client after the loops have ended, because loops end before beans are destroyed. */
    static void close(@Disposes TenantHttp http) {
        http.close();
    }

    @Produces
    @Singleton
    static ConnectionLimits connections(BackendConfig config) {
        BackendConfig.ConnectionsConfig connections = config.connections();
        return new ConnectionLimits(
                connections.total(),
                connections.perAddress(),
                connections.headTimeout(),
                connections.bodyTimeout(),
                connections.idleTimeout(),
                connections.trustedProxies().orElse(List.of()).stream()
                        .map(ConnectionLimits.Network::parse)
                        .toList());
    }

    @Produces
    @Singleton
    static Money money(BackendConfig config) {
        return new Money(config.currency());
    }

    @Produces
    @Singleton
    static Endpoints endpoints(BackendConfig config) {
        return new Endpoints(config.relay().secret().map(RelaySecret::parseAll).map(RelayNames::new));
    }

    @Produces
    @Singleton
    static FreeGpus freeGpus(Database database, Suppliers suppliers, GpuCatalogue catalogue) {
        return new FreeGpus(database, suppliers, catalogue);
    }

    @Produces
    @Singleton
    static ClusterLogs logs(Database database, Suppliers suppliers) {
        return new ClusterLogs(database, suppliers);
    }

    @Produces
    @Singleton
    static MachineSpans spans(
            OpenTelemetry telemetry,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "true") boolean isDisabled) {
        return isDisabled ? MachineSpans.NONE : MachineSpans.of(telemetry);
    }

    @Produces
    @Singleton
    static Wakeups wakeups() {
        return new Wakeups();
    }

    @Produces
    @Singleton
    static CallCounts counts() {
        return new CallCounts();
    }

    @Produces
    @Singleton
    static EventFeed feed(Database database) {
        return new EventFeed(database);
    }

    @Produces
    @Singleton
    static RateLimits rates(BackendConfig config) {
        return new RateLimits(config.rateLimit(), System::nanoTime);
    }

    @Produces
    @Singleton
    static Budgets budgets(BackendConfig config, Database database, Machines machines, Wakeups wakeups) {
        return new Budgets(
                database, machines, wakeups, config.budgetHorizon(), config.budgetEvery(), config.mostFailures());
    }

    @Produces
    @Singleton
    static Pools pools(Database database, Machines machines, Wakeups wakeups) {
        return new Pools(database, machines, wakeups);
    }

    @Produces
    @Singleton
    static Jobs jobs(
            BackendConfig config,
            Database database,
            Machines machines,
            Wakeups wakeups,
            Budgets budgets,
            RunnerKeys runners) {
        return new Jobs(
                database,
                machines,
                wakeups,
                budgets,
                runners,
                config.jobs().startTimeout(),
                config.jobs().lease(),
                System::nanoTime);
    }

    @Produces
    @Singleton
    static RunnerKeys runners(BackendConfig config, SealKeys seals, RunnerAddress address) throws IOException {
        Optional<RunnerAuthority> authority = RunnerAuthority.of(config.jobs().authority());
        return new RunnerKeys(seals, address::uri, () -> authority.map(RunnerAuthority::pem));
    }

    /**
     * With an external database all replicas need the same sealing key. Without a sealing key the backend refuses
     * jobs, secrets and webhooks.
     */
    @Produces
    @Singleton
    static SealKeys seals(BackendConfig config) throws IOException {
        return SealKeySource.of(config);
    }

    @Produces
    @Singleton
    static Login login(BackendConfig config) {
        return Login.of(
                config.oidc()
                        .issuer()
                        .map(address -> new Issuer(
                                address, config.oidc().clientId(), config.oidc().groupsClaim())),
                new RoleMap(config.oidc().roles().orElse("")),
                config.oidc().keyLife(),
                config.oidc().memberLife());
    }

    @Produces
    @Singleton
    static MachineManager manager(BackendConfig config, Database database, SealKeys seals) throws IOException {
        return new MachineManager(ManagementKeys.of(config), new MachineSecrets(database, seals));
    }

    @Produces
    @Singleton
    static Fleet fleet(
            BackendConfig config,
            Database database,
            Machines machines,
            LifeSettings settings,
            Suppliers suppliers,
            GpuCatalogue catalogue,
            CallCounts counts,
            Wakeups wakeups,
            Pools pools,
            Jobs jobs,
            SealKeys seals,
            RunnerKeys runners,
            Budgets budgets,
            MachineSpans spans,
            TenantHttp http,
            MachineManager manager) {
        Retention.requireLongEnough(config.keepUsage());
        FairShare fairShare = new FairShare(config.fairShareHalfLife());
        UUID replica = UUID.randomUUID();
        Reporter reporter = new Reporter(database, manager, replica, config.reportEvery());
        MachineReconciler reconciler = new MachineReconciler(
                database, machines, settings, suppliers, catalogue, manager, counts, config.lock(), spans, runners);
        ClusterObserver observer = new ClusterObserver(database, machines, suppliers, config.orphanGrace());
        Admission admission = new Admission(database, machines, fairShare);
        Housekeeping housekeeping = new Housekeeping(Stream.concat(
                        Stream.of(forgetting(database, config)),
                        Stream.<Runnable>of(new Resealing(database, seals)::round))
                .toArray(Runnable[]::new));
        return new Fleet(
                List.of(
                        reporter,
                        new MachineDriver(reconciler),
                        Reconciler.of(Wakeups.ADMISSION, Reconciler.SOON, () -> {
                            if (admission.admit() > 0) {
                                wakeups.driver();
                            }
                        }),
                        Reconciler.of(
                                Wakeups.DEPLOYMENTS,
                                Reconciler.SOON,
                                new Deployments(database, machines, wakeups, budgets)::round),
                        Reconciler.of(Wakeups.POOLS, Reconciler.SOON, pools::round),
                        Reconciler.of(Wakeups.JOBS, Reconciler.SOON, jobs::round),
                        Reconciler.of(Wakeups.SCHEDULES, Reconciler.SOON, new Schedules(database, wakeups)::round),
                        Reconciler.of("runners", OFTEN, new SilentRunners(database, suppliers, jobs)::round),
                        new Webhooks(database, seals, http),
                        Reconciler.of("quotas", Reconciler.SOON, () -> QuotaRows.fold(database)),
                        Reconciler.of("totals", Reconciler.SOON, new Totals(database, fairShare)::round),
                        Reconciler.of("keeper", OFTEN, reporter::keep),
                        Reconciler.of("use", OFTEN, () -> database.run(UseRows::take)),
                        Reconciler.of("clock", OFTEN, new ClockSteps(database)::round),
                        Reconciler.of("budgets", config.budgetEvery(), budgets::round),
                        Reconciler.of("housekeeping", HOUR, housekeeping::run),
                        // This is closed last: it closes the suppliers, and the driver uses them until the driver is
                        // closed.
                        new ClusterWatches(replica, database, observer, suppliers, config.observeEvery(), wakeups)),
                wakeups);
    }

    /**
     * Returns a cleanup task for each table, so that a failure for one table does not prevent the cleanup of the
     * others.
     */
    private static Runnable[] forgetting(Database database, BackendConfig config) {
        Duration usage = config.keepUsage();
        return new Runnable[] {
            forget(database, config.keepEvents(), EventRows::forget),
            forget(database, usage, Retention::forgetMachines),
            forget(database, usage, Retention::forgetActs),
            forget(database, usage, Retention::forgetDays),
            forget(database, usage, Retention::forgetTotals),
            forget(database, usage, TokenRows::forget),
            forget(database, config.keepDeliveries(), WebhookRows::forget),
            forget(database, Duration.ZERO, WebhookRows::forgetRemoved),
            forget(database, config.jobs().keep(), AttemptRows::forget),
            forget(database, KEEP_ANSWERS, FileRows::forget),
            forget(database, Duration.ZERO, ContentRows::forget),
            forget(database, KEEP_ANSWERS, IdempotencyRows::forget),
            forget(database, KEEP_ANSWERS, ReplicaRows::forgetGateways),
            forget(database, KEEP_ANSWERS, RowFailures::forget),
            forget(database, TokenRows.KNOWN, TokenRows::forgetBatches),
            forget(database, KEEP_SHOWN, TokenRows::forgetShown),
            forget(database, KEEP_SHOWN, KeyRows::forgetLogins),
            forget(database, Duration.ZERO, SessionRows::forget),
            forget(database, KEEP_SAMPLES, UseRows::forget)
        };
    }

    private static Runnable forget(Database database, Duration kept, Retention.Forgetting table) {
        return () -> Retention.run(database, kept, table);
    }
}
