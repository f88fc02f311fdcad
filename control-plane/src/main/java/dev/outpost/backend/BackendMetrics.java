package dev.outpost.backend;

import dev.outpost.backend.fleet.CallCounts;
import dev.outpost.backend.model.Command;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.SqlException;
import dev.outpost.rest.machine.Phase;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The metrics of the backend, under the names that dashboards use. They reveal nothing about tenants. */
@Singleton
final class BackendMetrics implements MeterBinder {
    /** The time for which counts are reused, so that one statement serves all gauges of a scrape. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Database database;
    private final CallCounts calls;
    private Map<Phase.State, Long> machines = Map.of();
    private long countedNanos;

    BackendMetrics(Database database, CallCounts calls) {
        this.database = database;
        this.calls = calls;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Phase.State state : Phase.State.values()) {
            if (state != Phase.State.ENDED) {
                Gauge.builder("outpost.machines", () -> machines(state))
                        .tag("state", lower(state))
                        .description("Machines of all organisations that are not over")
                        .register(registry);
            }
        }
        Gauge.builder("outpost.failing.rows", this::failures)
                .description("Rows that loops could not work on, and try again later; GET /v1/failures lists them")
                .register(registry);
        for (Command command : Command.values()) {
            for (CallCounts.Outcome outcome : CallCounts.Outcome.values()) {
                FunctionCounter.builder("outpost.calls", calls, counts -> counts.of(command, outcome))
                        .tag("command", lower(command))
                        .tag("outcome", lower(outcome))
                        .description("Calls of clusters by this replica")
                        .register(registry);
            }
        }
    }

    private double failures() {
        try {
            return database.transact(RowFailures::count);
        } catch (SqlException ignored) {
            return Double.NaN;
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the number of machines in a state; NaN while the database is unreachable. */
    private synchronized double machines(Phase.State state) {
        long now = System.nanoTime();
        if (countedNanos == 0 || now - countedNanos > FRESH.toNanos()) {
            try {
                machines = database.transact(MachineRows::counts);
                countedNanos = now;
            } catch (SqlException ignored) {
                return Double.NaN;
            }
        }
        return machines.getOrDefault(state, 0L);
    }
}
