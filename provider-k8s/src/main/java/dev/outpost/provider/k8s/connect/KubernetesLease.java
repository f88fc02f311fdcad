package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.task.ShutdownRegistry;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The lease of a machine, with all resources that are held for it. */
public final class KubernetesLease implements Lease {
    private final String id;
    private final Endpoint endpoint;
    private final MachineMonitor monitor;
    private final ShutdownRegistry shutdown;
    private final Duration timeout;
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param shutdown the resources that the release gives back, including the machine if it belongs to the client
     * @param timeout the longest wait of a release
     */
    public KubernetesLease(
            String id, Endpoint endpoint, MachineMonitor monitor, ShutdownRegistry shutdown, Duration timeout) {
        this.id = id;
        this.endpoint = endpoint;
        this.monitor = monitor;
        this.shutdown = shutdown;
        this.timeout = timeout;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public Uni<MachineLoss> lost() {
        // Use a copy: unsubscribing cancels the stage.
        return Uni.createFrom().completionStage(() -> monitor.lost().copy());
    }

    @Override
    public Uni<Void> release() {
        // Do not use Mutiny's timeout: its scheduler's thread would keep the JVM of a finished program alive.
        return Uni.createFrom()
                .completionStage(() -> beginRelease().completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Starts the release on the first call. All calls return the same completion. */
    private CompletableFuture<Void> beginRelease() {
        if (releasing.compareAndSet(false, true)) {
            monitor.dismiss();
            Thread.ofVirtual().name("outpost-release-" + id).start(this::close);
        }
        return released.copy();
    }

    private void close() {
        try {
            shutdown.close();
        } finally {
            released.complete(null);
        }
    }
}
