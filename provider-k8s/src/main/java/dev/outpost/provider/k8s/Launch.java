package dev.outpost.provider.k8s;

import dev.outpost.provider.k8s.config.WayIn;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.MachineRequest;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.Reach;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Brings the objects of a machine into the cluster: its Job, and then at once what the Job owns. The name was drawn
 * before, and each call only says what is to be, so that one whose answer got lost is simply repeated.
 */
final class Launch {
    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final Cluster cluster;
    private final MachineRequest request;
    private final Effort effort;

    Launch(Cluster cluster, MachineRequest request, Effort effort) {
        this.cluster = cluster;
        this.request = request;
        this.effort = effort;
    }

    /**
     * The Job, when everything is there.
     *
     * @param key the machine's key, which may still be in the making
     */
    Job launch(CompletableFuture<MachineKey> key) {
        Job job = effort.ask(() -> cluster.apply(Job.class, DesiredState.job(request)));
        String uid = job.getMetadata().getUid();
        WayIn wayIn = Reach.chosen(request.config().endpoint(), cluster.isAround());
        CompletableFuture<Void> secret = apart(Secret.class, () -> DesiredState.secret(request, join(key), uid));
        CompletableFuture<Void> service = apart(Service.class, () -> DesiredState.service(request, uid, wayIn));
        join(CompletableFuture.allOf(secret, service));
        return job;
    }

    private <T extends HasMetadata> CompletableFuture<Void> apart(Class<T> type, Supplier<T> desired) {
        return CompletableFuture.runAsync(() -> effort.ask(() -> cluster.apply(type, desired.get())), VIRTUAL_THREADS);
    }

    /** Fails with what failed, not with the news that something did. */
    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
