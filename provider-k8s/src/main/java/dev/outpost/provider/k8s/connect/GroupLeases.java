package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.task.ShutdownRegistry;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** The leases of a group's machines. The machines end when the last lease is released. Thread-safe. */
final class GroupLeases {
    private final String id;
    private final MachineMonitor monitor;
    private final IntSupplier lost;
    private final ShutdownRegistry shutdown;
    private final Duration timeout;
    private final AtomicInteger left = new AtomicInteger();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param lost the rank of the lost machine, after a loss
     * @param shutdown the resources that the last release gives back: the Job with all machines
     * @param timeout the longest wait of the last release
     */
    GroupLeases(String id, MachineMonitor monitor, IntSupplier lost, ShutdownRegistry shutdown, Duration timeout) {
        this.id = id;
        this.monitor = monitor;
        this.lost = lost;
        this.shutdown = shutdown;
        this.timeout = timeout;
    }

    /** @param endpoints the endpoints of the members, by rank */
    List<Lease> of(List<Endpoint> endpoints) {
        left.set(endpoints.size());
        List<Lease> leases = new ArrayList<>();
        for (int rank = 0; rank < endpoints.size(); rank++) {
            leases.add(new Member(rank, endpoints.get(rank)));
        }
        return List.copyOf(leases);
    }

    /** Releases one lease. The first release means that the group is not needed any more, so later ends of members are not losses. */
    private CompletableFuture<Void> release() {
        monitor.dismiss();
        if (left.decrementAndGet() > 0) {
            return CompletableFuture.completedFuture(null);
        }
        Thread.ofVirtual().name("outpost-release-" + id).start(this::close);
        return released.copy().completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void close() {
        try {
            shutdown.close();
        } finally {
            released.complete(null);
        }
    }

    private final class Member implements Lease {
        private final int rank;
        private final Endpoint endpoint;
        private final AtomicBoolean isReleased = new AtomicBoolean();

        Member(int rank, Endpoint endpoint) {
            this.rank = rank;
            this.endpoint = endpoint;
        }

        @Override
        public String id() {
            return id + "-" + rank;
        }

        @Override
        public Endpoint endpoint() {
            return endpoint;
        }

        /** Emits only for the machine that was lost; the others end because of it. */
        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom()
                    .completionStage(() -> monitor.lost().copy())
                    .chain(loss -> lost.getAsInt() == rank
                            ? Uni.createFrom().item(loss)
                            : Uni.createFrom().nothing());
        }

        @Override
        public Uni<Void> release() {
            return Uni.createFrom()
                    .completionStage(() -> isReleased.compareAndSet(false, true)
                            ? GroupLeases.this.release()
                            : CompletableFuture.completedFuture(null));
        }
    }
}
