package dev.outpost.backend.worker;

import dev.outpost.backend.store.sql.SqlException;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.support.FleetChanges;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Reads the rows of a worker host whenever they may have changed, and reports the differences. */
final class WorkerRowWatch implements FleetWatch {
    private static final Logger LOG = Logger.getLogger(WorkerRowWatch.class);
    private static final long LOOK_MILLIS = 3_000;

    private final WorkerSignals.Waiter waiter;
    private final Supplier<List<MachineObservation>> list;
    private final FleetChanges changes;
    private final ReentrantLock telling = new ReentrantLock();
    private boolean closed;

    private WorkerRowWatch(
            WorkerSignals.Waiter waiter,
            Supplier<List<MachineObservation>> list,
            Consumer<MachineObservation> listener) {
        this.waiter = waiter;
        this.list = list;
        this.changes = new FleetChanges(listener);
    }

    static WorkerRowWatch open(
            WorkerSignals.Waiter waiter,
            Supplier<List<MachineObservation>> list,
            Consumer<MachineObservation> listener) {
        WorkerRowWatch watch = new WorkerRowWatch(waiter, list, listener);
        Thread.ofVirtual().name("outpost-worker-watch").start(watch::run);
        return watch;
    }

    private void run() {
        while (poll() && waiter.await(LOOK_MILLIS)) {
            // Loops until the watch is closed.
        }
    }

    private boolean poll() {
        List<MachineObservation> seen;
        try {
            seen = list.get();
        } catch (SqlException ignored) {
            return true;
        }
        telling.lock();
        try {
            if (!closed) {
                report(seen);
            }
            return !closed;
        } finally {
            telling.unlock();
        }
    }

    /** Reports changes to the listener. If it fails, the next query of the whole cluster finds the change. */
    private void report(List<MachineObservation> seen) {
        try {
            changes.report(seen);
        } catch (RuntimeException failure) {
            LOG.warnf("the machines of a worker host cannot be told of for now: %s", failure.getMessage());
        }
    }

    @Override
    public void close() {
        telling.lock();
        try {
            closed = true;
        } finally {
            telling.unlock();
        }
        waiter.close();
        waiter.wake();
    }
}
