package dev.outpost;

import dev.outpost.provider.Lease;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Hands one member's machine to the subscriber that requested it, or releases the machine if the subscriber has cancelled. */
final class MemberLease {
    private final CompletableFuture<List<Lease>> leases;
    private final int rank;
    private final Runnable giveUp;
    private boolean isUnwanted;
    private @Nullable Lease taken;
    private volatile @Nullable Thread deliverer;

    /** @param giveUp ends the start of the whole group */
    MemberLease(CompletableFuture<List<Lease>> leases, int rank, Runnable giveUp) {
        this.leases = leases;
        this.rank = rank;
        this.giveUp = giveUp;
    }

    void deliver(UniEmitter<? super Lease> emitter) {
        emitter.onTermination(this::terminated);
        leases.whenComplete((all, failure) -> {
            if (failure == null) {
                deliver(emitter, all.get(rank));
            } else {
                deliverer = Thread.currentThread();
                emitter.fail(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
            }
        });
    }

    private void deliver(UniEmitter<? super Lease> emitter, Lease lease) {
        if (tryTake(lease)) {
            emitter.complete(lease);
        } else {
            release(lease);
        }
    }

    private synchronized boolean tryTake(Lease lease) {
        taken = lease;
        deliverer = Thread.currentThread();
        return !isUnwanted;
    }

    /** Called once: by the delivering thread after delivery, or by the cancelling thread. Nothing is delivered after a cancellation. */
    private void terminated() {
        if (Thread.currentThread() == deliverer) {
            return;
        }
        Lease undelivered = refuse();
        if (undelivered == null) {
            giveUp.run();
        } else {
            release(undelivered);
        }
    }

    private synchronized @Nullable Lease refuse() {
        isUnwanted = true;
        return taken;
    }

    private static void release(Lease lease) {
        lease.release().subscribe().with(done -> {}, failure -> {});
    }
}
