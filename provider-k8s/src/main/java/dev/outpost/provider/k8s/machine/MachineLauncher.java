package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.desired.SuspendedJob;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Creates the objects of a machine in the cluster: its Job, the objects that the Job owns, and then the pod, by releasing the suspended
 * Job. So the key exists before a container reads it, and it is always owned by the Job, which deletes it. The machine's name is chosen
 * first, and each call declares a desired state, so a call whose answer was lost can be repeated. A released Job has all of its objects. A
 * control plane does not launch it again.
 */
public final class MachineLauncher {
    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final Cluster cluster;
    private final KubernetesMachineSpec request;
    private final StartContext context;

    private MachineLauncher(Cluster cluster, KubernetesMachineSpec request, StartContext context) {
        this.cluster = cluster;
        this.request = request;
        this.context = context;
    }

    /**
     * Launches the machine. Returns the Job when all objects exist.
     *
     * @param key the machine's key, which may not be complete yet
     */
    public static Job of(
            Cluster cluster, KubernetesMachineSpec request, StartContext context, CompletableFuture<MachineKey> key) {
        return new MachineLauncher(cluster, Allocation.of(request, cluster, context), context).launch(key);
    }

    private Job launch(CompletableFuture<MachineKey> key) {
        Job held = context.ask(() -> make(Job.class, DesiredState.heldJob(request)));
        String uid = held.getMetadata().getUid();
        CompletableFuture<Void> template = async(() -> makeClaimTemplate(held));
        CompletableFuture<Service> service = async(() -> makeService(uid));
        Secret secret = makeOwned(Secret.class, DesiredState.secret(request, join(key), uid));
        join(CompletableFuture.allOf(template, service));
        return release(held, secret);
    }

    /**
     * Makes an object. A client has drawn a new name, so an existing object was made by the same client, and may be changed. Replicas of a
     * control plane may make the same machine at once, so a replica must not change an object of another replica, whose machine may already
     * run.
     */
    private <T extends HasMetadata> T make(Class<T> type, T object) {
        return request.lifetime() instanceof LifetimePolicy.Controlled
                ? cluster.make(type, object)
                : cluster.apply(type, object);
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, VIRTUAL_THREADS);
    }

    /**
     * Makes an object that the Job owns. If several replicas launch the machine, the object of the first replica stays, and with it the
     * key. An object of an earlier Job of that name is refused, because the cluster will still remove it.
     */
    private <T extends HasMetadata> T makeOwned(Class<T> type, T desired) {
        T made = context.ask(() -> make(type, desired));
        if (!made.getMetadata()
                .getOwnerReferences()
                .equals(desired.getMetadata().getOwnerReferences())) {
            throw new ClusterException("the " + type.getSimpleName() + " " + request.id()
                    + " of an earlier Job of that name is still being removed." + " Ask again in a moment.");
        }
        return made;
    }

    /**
     * Makes the claim template before the Job is released, because the pod's claim is made from the template. The
     * existing Job decides whether it claims: another replica may have made the Job with the other allocation.
     */
    private Void makeClaimTemplate(Job held) {
        if (SuspendedJob.hasClaim(held)) {
            KubernetesMachineSpec claiming = request.with(GpuAllocation.RESOURCE_CLAIM);
            String uid = held.getMetadata().getUid();
            makeOwned(ResourceClaimTemplate.class, DesiredState.claimTemplate(claiming, 1, uid));
        }
        return null;
    }

    /** Releases the Job. If it was deleted meanwhile, returns it as it was. A later call finds that it is gone. */
    private Job release(Job held, Secret secret) {
        String patch = SuspendedJob.release(DesiredState.job(request), annotations(secret));
        return context.ask(() -> cluster.patch(held, patch)).orElse(held);
    }

    /**
     * Returns the annotation with the certificate's hash. A control plane passes the hash on to clients, so it need
     * not read Secrets.
     */
    private Map<String, String> annotations(Secret secret) {
        return request.lifetime() instanceof LifetimePolicy.Controlled
                ? Map.of(MachineLabels.PIN, MachineKey.pin(secret.getData()).sha256())
                : Map.of();
    }

    private Service makeService(String uid) {
        AccessMode accessMode = MachineRoutes.chosen(request.config().endpoint(), cluster.isAround());
        return makeOwned(Service.class, DesiredState.service(request, uid, accessMode));
    }

    /** Waits for a result. Throws the cause of a failure, not the wrapping exception. */
    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
