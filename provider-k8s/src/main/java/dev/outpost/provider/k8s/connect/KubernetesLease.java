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

/** A machine that was handed out, and all that is held for it. */
public final class KubernetesLease implements Lease {
    private final String id;
    private final Endpoint endpoint;
    private final MachineMonitor monitor;
    private final ShutdownRegistry shutdown;
    private final Duration timeout;
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param shutdown what releasing gives back: with the machine where it is the client's
     * @param timeout how long whoever releases waits for it at the most
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
        // A copy: whoever unsubscribes cancels the stage.
        return Uni.createFrom().completionStage(() -> monitor.lost().copy());
    }

    @Override
    public Uni<Void> release() {
        // Not a timeout of Mutiny's: the thread of its scheduler would keep a JVM alive whose program has ended.
        return Uni.createFrom()
                .completionStage(() -> beginRelease().completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Begins it with the first call; all calls answer its end. */
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
