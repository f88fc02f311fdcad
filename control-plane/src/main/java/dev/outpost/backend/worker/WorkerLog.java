package dev.outpost.backend.worker;

import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.WorkerRows.Wanted;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.util.List;
import java.util.Optional;

/** The log of a machine, as its worker host has sent it. */
final class WorkerLog {
    private static final int BATCH = 500;
    private static final long LOOK_MILLIS = 500;

    private final Database database;
    private final String cluster;
    private final String installation;
    private final MachineRef machine;

    private WorkerLog(Database database, String cluster, String installation, MachineRef machine) {
        this.database = database;
        this.cluster = cluster;
        this.installation = installation;
        this.machine = machine;
    }

    static Multi<String> of(
            Database database,
            String cluster,
            String installation,
            MachineRef machine,
            boolean follow,
            WorkerSignals signals) {
        WorkerLog log = new WorkerLog(database, cluster, installation, machine);
        return Multi.createFrom().emitter(emitter -> {
            WorkerSignals.Waiter waiter = signals.waiter(cluster);
            emitter.onTermination(waiter::wake);
            Thread.ofVirtual().name("outpost-worker-log").start(() -> {
                try (waiter) {
                    log.read(emitter, follow, waiter);
                } catch (RuntimeException failure) {
                    emitter.fail(failure);
                }
            });
        });
    }

    private void read(MultiEmitter<? super String> emitter, boolean follow, WorkerSignals.Waiter waiter) {
        if (find().isEmpty()) {
            throw new FleetException(Kind.NOT_FOUND, "worker: " + cluster + " has no machine " + machine);
        }
        int next = 0;
        boolean isMore = true;
        while (isMore && !emitter.isCancelled()) {
            // Checks the end before reading, so that all lines from before the end are read.
            boolean isOver = isOver();
            List<String> lines = lines(next);
            lines.forEach(emitter::emit);
            next += lines.size();
            boolean isLast = lines.size() < BATCH && (!follow || isOver);
            isMore = !isLast && (lines.size() == BATCH || waiter.await(LOOK_MILLIS));
        }
        emitter.complete();
    }

    private Optional<Wanted> find() {
        return database.transact(sql -> WorkerRows.find(sql, cluster, machine))
                .filter(row -> row.installation().equals(installation));
    }

    private boolean isOver() {
        return find().flatMap(Wanted::said)
                .filter(said -> said.state().compareTo(MachinePhase.ENDED) < 0)
                .isEmpty();
    }

    private List<String> lines(int from) {
        return database.transact(sql -> WorkerRows.lines(sql, cluster, machine, from, BATCH));
    }
}
