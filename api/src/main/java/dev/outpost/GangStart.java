package dev.outpost;

import dev.outpost.client.start.MachineSource;
import dev.outpost.provider.GroupProvider;
import dev.outpost.provider.GroupSpec;
import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Starts machines that their provider hands out all together, although each member requests its machine separately.
 * The first request begins the start. Each member gets its machine when all machines have started. If a member
 * requests a second time, all machines are started again. Thread-safe.
 */
final class GangStart {
    private final GroupProvider provider;
    private final GroupSpec spec;
    private final List<Round> rounds = new ArrayList<>();
    private final int[] asked;

    GangStart(GroupProvider provider, GroupSpec spec) {
        this.provider = provider;
        this.spec = spec;
        this.asked = new int[spec.size()];
    }

    MachineSource member(int rank) {
        return progress -> Uni.createFrom().deferred(() -> next(rank).lease(rank, progress));
    }

    private synchronized Round next(int rank) {
        int round = asked[rank]++;
        if (round == rounds.size()) {
            rounds.add(new Round());
        }
        return rounds.get(round);
    }

    /** One start of all machines. */
    private final class Round {
        private final CompletableFuture<List<Lease>> leases = new CompletableFuture<>();
        private final List<Consumer<ProvisioningStep>> listeners = new CopyOnWriteArrayList<>();
        private final AtomicBoolean isBegun = new AtomicBoolean();
        private volatile Cancellable start = () -> {};

        Uni<Lease> lease(int rank, Consumer<ProvisioningStep> progress) {
            listeners.add(progress);
            begin();
            return Uni.createFrom().emitter(emitter -> new MemberLease(leases, rank, this::cancel).deliver(emitter));
        }

        private void begin() {
            if (isBegun.compareAndSet(false, true)) {
                start = provider.provision(spec, step -> listeners.forEach(listener -> listener.accept(step)))
                        .subscribe()
                        .with(leases::complete, leases::completeExceptionally);
            }
        }

        /**
         * Cancels the start of the whole group. Returns after the started machines have been given back. The other members then fail
         * too.
         */
        private void cancel() {
            start.cancel();
            leases.completeExceptionally(new IllegalStateException(
                    "the start of the group was given up, since a member is not wanted any more"));
        }
    }
}
