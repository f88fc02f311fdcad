package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** The lease of a machine, alone or in a group. */
final class KubernetesLease implements Lease {
    private final String id;
    private final Endpoint endpoint;
    private final HeldMachines machines;
    private final BooleanSupplier isLost;
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param isLost called after a loss in the group: true if this machine was lost, false if it ends because another
     *     one was lost
     */
    KubernetesLease(String id, Endpoint endpoint, HeldMachines machines, BooleanSupplier isLost) {
        this.id = id;
        this.endpoint = endpoint;
        this.machines = machines;
        this.isLost = isLost;
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
        return Uni.createFrom()
                .completionStage(() -> machines.lost().copy())
                .chain(loss -> isLost.getAsBoolean()
                        ? Uni.createFrom().item(loss)
                        : Uni.createFrom().nothing());
    }

    @Override
    public Uni<Void> release() {
        // Do not use Mutiny's timeout: its scheduler's thread would keep the JVM of a finished program alive.
        return Uni.createFrom()
                .completionStage(() -> beginRelease()
                        .completeOnTimeout(null, machines.timeout().toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Starts the release on the first call. All calls return the same completion. */
    private CompletableFuture<Void> beginRelease() {
        if (releasing.compareAndSet(false, true)) {
            machines.release().thenRun(() -> released.complete(null));
        }
        return released.copy();
    }
}
