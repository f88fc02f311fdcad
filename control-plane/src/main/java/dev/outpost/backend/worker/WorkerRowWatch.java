package dev.outpost.backend.worker;

import dev.outpost.backend.store.SqlException;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.support.FleetChanges;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Looks at the rows of a worker host whenever they may have changed, and tells what is not as it was. */
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
        while (look() && waiter.await(LOOK_MILLIS)) {
            // Until it is closed.
        }
    }

    private boolean look() {
        List<MachineObservation> seen;
        try {
            seen = list.get();
        } catch (SqlException away) {
            return true;
        }
        telling.lock();
        try {
            if (!closed) {
                tell(seen);
            }
            return !closed;
        } finally {
            telling.unlock();
        }
    }

    /** If a listener fails, the next query of the whole cluster finds the change. */
    private void tell(List<MachineObservation> seen) {
        try {
            changes.tell(seen);
        } catch (RuntimeException failed) {
            LOG.warnf("the machines of a worker host cannot be told of for now: %s", failed.getMessage());
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
