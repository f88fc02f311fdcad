package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Reconciler;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.ReportRows;
import dev.outpost.backend.store.ReportRows.Report;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.SqlException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Asks machines how their grants are used, and stores the answers of a batch of machines with one statement. */
public final class Reporter implements Reconciler {
    private static final Logger LOG = Logger.getLogger(Reporter.class);
    private static final int BATCH = 200;

    /** The number of machines that are asked concurrently. */
    private static final int CALLS = 32;

    private static final UUID FIRST = new UUID(0, 0);

    private final Database database;
    private final RowWork rows;
    private final MachineManager manager;
    private final UUID replica;
    private final Duration period;
    private volatile boolean closed;

    public Reporter(Database database, MachineManager manager, UUID replica, Duration period) {
        this.database = database;
        this.rows = new RowWork(database, "reports");
        this.manager = manager;
        this.replica = replica;
        this.period = period;
    }

    @Override
    public String name() {
        return "reporter";
    }

    @Override
    public Duration period() {
        return period;
    }

    /** Asks all ready machines on the clusters that this replica observes. */
    @Override
    public void round() {
        if (!manager.isEnabled()) {
            return;
        }
        List<Machine> batch = next(FIRST);
        while (!batch.isEmpty() && !closed) {
            List<Report> reports = ask(batch);
            put(reports);
            batch = next(batch.getLast().id());
        }
    }

    /** Stores the reports with one statement. If that fails, stores them one by one, so that only an invalid report is lost. */
    private void put(List<Report> reports) {
        try {
            database.run(sql -> ReportRows.put(sql, reports));
        } catch (SqlException failure) {
            if (failure.isUnavailable()) {
                throw failure;
            }
            rows.each(
                    reports,
                    report -> report.machine().toString(),
                    report -> database.run(sql -> ReportRows.put(sql, List.of(report))));
        }
    }

    /** Renews the leases of waiting machines of pools, on the clusters that this replica observes. */
    public void keep() {
        if (!manager.isEnabled()) {
            return;
        }
        List<Machine> members = database.transact(sql -> PoolRows.readyOf(sql, replica));
        Semaphore calls = new Semaphore(CALLS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            members.forEach(row -> threads.submit(bounded(calls, () -> {
                manager.keep(row);
                return List.of();
            })));
        }
    }

    private List<Machine> next(UUID after) {
        return database.transact(sql -> MachineRows.readyOf(sql, replica, after, BATCH));
    }

    private List<Report> ask(List<Machine> batch) {
        Semaphore calls = new Semaphore(CALLS);
        List<Future<List<Report>>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            batch.forEach(row -> asked.add(threads.submit(bounded(calls, () -> manager.report(row)))));
        }
        List<Report> reports = new ArrayList<>();
        asked.forEach(answer -> reports.addAll(join(answer)));
        return reports;
    }

    private Callable<List<Report>> bounded(Semaphore calls, Supplier<List<Report>> question) {
        return () -> {
            calls.acquire();
            try {
                return closed ? List.of() : question.get();
            } finally {
                calls.release();
            }
        };
    }

    /** Ends the round: machines that were not asked yet are skipped. */
    @Override
    public void stop() {
        closed = true;
    }

    private static List<Report> join(Future<List<Report>> answer) {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException failure) {
            LOG.warnf("a machine could not be asked: %s", failure.getCause());
            return List.of();
        }
    }
}
