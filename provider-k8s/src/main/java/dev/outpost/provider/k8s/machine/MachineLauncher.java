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
 * Brings the objects of a machine into the cluster: its Job, the objects that the Job owns, and then the pod, for which the
 * Job was held back. So the key is there before a container looks for it, and never without the Job that takes it along. The
 * name was drawn before, and each call only says what is to be, so that one whose answer got lost is simply repeated. A Job that was
 * released has all its objects: a control plane does not launch it again.
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
     * The Job, when everything is there.
     *
     * @param key the machine's key, which may still be in the making
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
     * A client has drawn the name, so that what is there is its own. Replicas of a control plane make the same machine at once:
     * none of them may change what another has made, and perhaps let run.
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
     * Makes an object that the Job owns. If several replicas launch the machine, the first one's object stays, and with it the key.
     * An object of an earlier Job of that name is refused, because the cluster will still remove it.
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
     * Makes the template before the Job is released, because the pod's claim is made from it. The existing Job decides whether it
     * claims: another replica may have made the Job with the other allocation.
     */
    private Void makeClaimTemplate(Job held) {
        if (SuspendedJob.hasClaim(held)) {
            KubernetesMachineSpec claiming = request.with(GpuAllocation.RESOURCE_CLAIM);
            String uid = held.getMetadata().getUid();
            makeOwned(ResourceClaimTemplate.class, DesiredState.claimTemplate(claiming, 1, uid));
        }
        return null;
    }

    /** A Job that was deleted meanwhile is seen to be gone by whoever looks at it next. */
    private Job release(Job held, Secret secret) {
        String patch = SuspendedJob.release(DesiredState.job(request), annotations(secret));
        return context.ask(() -> cluster.patch(held, patch)).orElse(held);
    }

    /** A control plane tells clients what certificate to expect, and does not read Secrets for it. */
    private Map<String, String> annotations(Secret secret) {
        return request.lifetime() instanceof LifetimePolicy.Controlled
                ? Map.of(MachineLabels.PIN, MachineKey.pin(secret.getData()).sha256())
                : Map.of();
    }

    private Service makeService(String uid) {
        AccessMode accessMode = MachineRoutes.chosen(request.config().endpoint(), cluster.isAround());
        return makeOwned(Service.class, DesiredState.service(request, uid, accessMode));
    }

    /** Fails with what failed, not with the news that something did. */
    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }
}
