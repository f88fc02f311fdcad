package dev.outpost.provider.lan;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;

/** A worker that a client uses. The worker belongs to the person who started it, so releasing the lease leaves it running. */
final class LanLease implements Lease {
    private final Worker worker;
    private final Runnable onRelease;

    /** @param onRelease called on release */
    LanLease(Worker worker, Runnable onRelease) {
        this.worker = worker;
        this.onRelease = onRelease;
    }

    @Override
    public String id() {
        return worker.name();
    }

    @Override
    public Endpoint endpoint() {
        return worker.endpoint();
    }

    @Override
    public Uni<MachineLoss> lost() {
        return Uni.createFrom().nothing();
    }

    @Override
    public boolean isWatched() {
        return false;
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().voidItem().onSubscription().invoke(onRelease);
    }
}
