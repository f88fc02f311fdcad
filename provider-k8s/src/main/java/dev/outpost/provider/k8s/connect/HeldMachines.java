package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.task.ShutdownRegistry;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The machines of a Job and the resources for them, which are released with the last lease. Thread-safe. */
final class HeldMachines {
    private final String id;
    private final MachineMonitor monitor;
    private final ShutdownRegistry shutdown;
    private final Duration timeout;
    private final AtomicInteger leases;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /**
     * @param shutdown the resources, including the Job if it belongs to the client
     * @param timeout the maximum wait of a release
     * @param leases the number of leases
     */
    HeldMachines(String id, MachineMonitor monitor, ShutdownRegistry shutdown, Duration timeout, int leases) {
        this.id = id;
        this.monitor = monitor;
        this.shutdown = shutdown;
        this.timeout = timeout;
        this.leases = new AtomicInteger(leases);
    }

    /** Completes when a machine was lost. */
    CompletableFuture<MachineLoss> lost() {
        return monitor.lost();
    }

    Duration timeout() {
        return timeout;
    }

    /**
     * Releases one lease. After the first release, the end of another machine is not a loss, because the group is not
     * needed any more.
     */
    CompletableFuture<Void> release() {
        monitor.dismiss();
        if (leases.decrementAndGet() > 0) {
            return CompletableFuture.completedFuture(null);
        }
        Thread.ofVirtual().name("outpost-release-" + id).start(this::close);
        return closed;
    }

    private void close() {
        try {
            shutdown.close();
        } finally {
            closed.complete(null);
        }
    }
}
