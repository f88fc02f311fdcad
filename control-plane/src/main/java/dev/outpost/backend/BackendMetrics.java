package dev.outpost.backend;

import dev.outpost.backend.fleet.CallCounts;
import dev.outpost.backend.fleet.loop.Fleet;
import dev.outpost.backend.model.Command;
import dev.outpost.backend.store.OverviewRows;
import dev.outpost.backend.store.OverviewRows.Overview;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.SqlException;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of the backend, under the names that dashboards use. They reveal nothing about tenants. A number that is read from the
 * database is NaN while the database does not answer.
 */
@Singleton
final class BackendMetrics implements MeterBinder {
    /** The time for which one reading of the database is used, so that it serves all gauges of a scrape. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private static final List<Phase> WAITING = List.of(Phase.QUOTA, Phase.POSITION, Phase.CAPACITY);

    private final Database database;
    private final CallCounts calls;
    private final Instance<Fleet> fleet;
    private final CertificateExpiry certificate;
    private final String kind;
    private Optional<Overview> overview = Optional.empty();
    private long readNanos;

    /** @param fleet looked up at each scrape, because it does not exist yet when meters are bound */
    BackendMetrics(Database database, CallCounts calls, Instance<Fleet> fleet, CertificateExpiry certificate) {
        this.database = database;
        this.calls = calls;
        this.fleet = fleet;
        this.certificate = certificate;
        this.kind = EmbeddedDatabase.isUsed() ? "embedded" : "external";
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindMachines(registry);
        bindParts(registry);
        bindDatabase(registry);
        bindCalls(registry);
    }

    private void bindMachines(MeterRegistry registry) {
        for (Phase.State state : Phase.State.values()) {
            if (state != Phase.State.ENDED) {
                gauge(
                        registry,
                        "outpost.machines",
                        "Machines of all organisations that are not over",
                        tag("state", state),
                        seen -> seen.machines().getOrDefault(state, 0L));
            }
        }
        for (Phase phase : WAITING) {
            gauge(
                    registry,
                    "outpost.queue.age.seconds",
                    "Age of the oldest request that waits for this reason",
                    tag("reason", phase),
                    seen -> seen.queueAges().getOrDefault(phase, 0.0));
        }
        for (EndReason reason : OverviewRows.FAILURES) {
            for (OverviewRows.Stage stage : OverviewRows.Stage.values()) {
                OverviewRows.Failure failure = new OverviewRows.Failure(reason, stage);
                gauge(
                        registry,
                        "outpost.failed.machines",
                        "Machines that failed within the last hour, before or after they were ready",
                        tag("reason", reason).and(tag("stage", stage)),
                        seen -> seen.failures().getOrDefault(failure, 0L));
            }
        }
        gauge(
                registry,
                "outpost.budget.holds",
                "Machines whose cost a budget reserves",
                Tags.of("state", "live"),
                seen -> seen.holds().live());
        gauge(
                registry,
                "outpost.budget.holds",
                "Machines whose cost a budget reserves",
                Tags.of("state", "overdue"),
                seen -> seen.holds().overdue());
        gauge(
                registry,
                "outpost.replicas",
                "Replicas of deployments",
                Tags.of("state", "wanted"),
                seen -> seen.replicas().wanted());
        gauge(
                registry,
                "outpost.replicas",
                "Replicas of deployments",
                Tags.of("state", "serving"),
                seen -> seen.replicas().serving());
    }

    private void bindParts(MeterRegistry registry) {
        gauge(
                registry,
                "outpost.clusters",
                "Clusters and worker hosts",
                Tags.of("state", "answering"),
                seen -> seen.clusters() - seen.troubled());
        gauge(
                registry,
                "outpost.clusters",
                "Clusters and worker hosts",
                Tags.of("state", "troubled"),
                Overview::troubled);
        gauge(
                registry,
                "outpost.failing.rows",
                "Rows that loops could not work on, and try again later; GET /v1/failures lists them",
                Tags.empty(),
                Overview::failingRows);
        gauge(
                registry,
                "outpost.due.age.seconds",
                "Time for which the row that is due longest waits for a replica",
                Tags.empty(),
                Overview::dueAge);
        Gauge.builder("outpost.silent.loops", () -> fleet.get().silentLoops().size())
                .description("Loops of this replica that have not run for too long; readiness names them")
                .register(registry);
        Gauge.builder("outpost.certificate.expiry.timestamp.seconds", certificate, CertificateExpiry::seconds)
                .description("End of the API's certificate in seconds since 1970; NaN without one")
                .register(registry);
    }

    private void bindDatabase(MeterRegistry registry) {
        gauge(registry, "outpost.database.latency.seconds", "Time of one statement", Tags.empty(), Overview::latency);
        gauge(
                registry,
                "outpost.database.standbys",
                "Standbys that replicate the database",
                Tags.empty(),
                seen -> seen.standbys().number());
        gauge(
                registry,
                "outpost.database.standby.lag.seconds",
                "Time by which the last standby is behind; NaN if the database's user may not read it",
                Tags.empty(),
                seen -> seen.standbys().lag().orElse(Double.NaN));
        gauge(
                registry,
                "outpost.backup.age.seconds",
                "Time since the last ./outpost backup, or since the installation",
                Tags.of("database", kind),
                seen -> seen.backupAge().orElse(Double.NaN));
    }

    private void bindCalls(MeterRegistry registry) {
        for (Command command : Command.values()) {
            for (CallCounts.Outcome outcome : CallCounts.Outcome.values()) {
                FunctionCounter.builder("outpost.calls", calls, counts -> counts.of(command, outcome))
                        .tags(tag("command", command).and(tag("outcome", outcome)))
                        .description("Calls of clusters by this replica")
                        .register(registry);
            }
        }
    }

    private void gauge(
            MeterRegistry registry, String name, String description, Tags tags, ToDoubleFunction<Overview> value) {
        Gauge.builder(name, () -> overview().map(value::applyAsDouble).orElse(Double.NaN))
                .tags(tags)
                .description(description)
                .register(registry);
    }

    private static Tags tag(String name, Enum<?> constant) {
        return Tags.of(name, constant.name().toLowerCase(Locale.ROOT));
    }

    /** Reads the database, unless it was read or did not answer a moment ago. */
    private synchronized Optional<Overview> overview() {
        if (readNanos == 0 || System.nanoTime() - readNanos > FRESH.toNanos()) {
            try {
                overview = Optional.of(database.read(OverviewRows::read));
            } catch (SqlException ignored) {
                overview = Optional.empty();
            }
            readNanos = System.nanoTime();
        }
        return overview;
    }
}
