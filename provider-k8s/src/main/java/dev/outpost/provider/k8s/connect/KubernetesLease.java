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
    private final MachineMonitor lifeguard;
    private final ShutdownRegistry holdings;
    private final Duration patience;
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param holdings what releasing gives back: with the machine where it is the client's
     * @param patience how long whoever releases waits for it at the most
     */
    public KubernetesLease(
            String id, Endpoint endpoint, MachineMonitor lifeguard, ShutdownRegistry holdings, Duration patience) {
        this.id = id;
        this.endpoint = endpoint;
        this.lifeguard = lifeguard;
        this.holdings = holdings;
        this.patience = patience;
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
        return Uni.createFrom().completionStage(() -> lifeguard.lost().copy());
    }

    @Override
    public Uni<Void> release() {
        // Not a timeout of Mutiny's: the thread of its scheduler would keep a JVM alive whose program has ended.
        return Uni.createFrom()
                .completionStage(() -> giveBack().completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Begins it with the first call; all calls answer its end. */
    private CompletableFuture<Void> giveBack() {
        if (releasing.compareAndSet(false, true)) {
            lifeguard.dismiss();
            Thread.ofVirtual().name("outpost-release-" + id).start(this::close);
        }
        return released.copy();
    }

    private void close() {
        try {
            holdings.close();
        } finally {
            released.complete(null);
        }
    }
}
