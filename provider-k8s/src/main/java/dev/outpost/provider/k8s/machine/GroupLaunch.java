package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.SuspendedJob;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.List;

/**
 * Creates the objects of a group in the cluster. The Job stays suspended until all others exist, so no member runs before its key, its
 * name and its network policy. Each call may be repeated.
 */
final class GroupLaunch {
    private final Cluster cluster;
    private final GroupRequest group;
    private final StartContext context;

    private GroupLaunch(Cluster cluster, GroupRequest group, StartContext context) {
        this.cluster = cluster;
        this.group = group;
        this.context = context;
    }

    /**
     * Launches the group. Returns the Job when all objects exist.
     *
     * @param keys the keys of the members, by rank
     * @param grant the secret by which the members recognise each other
     */
    static Job of(Cluster cluster, GroupRequest wanted, StartContext context, List<MachineKey> keys, String grant) {
        GroupRequest group = wanted.with(Allocation.of(wanted.machine(), cluster, context));
        return new GroupLaunch(cluster, group, context).launch(keys, grant);
    }

    private Job launch(List<MachineKey> keys, String grant) {
        Job held = apply(Job.class, GroupState.heldJob(group));
        String uid = held.getMetadata().getUid();
        apply(Secret.class, GroupState.secret(group, keys, grant, uid));
        if (SuspendedJob.hasClaim(held)) {
            KubernetesMachineSpec claiming = group.machine().with(GpuAllocation.RESOURCE_CLAIM);
            apply(ResourceClaimTemplate.class, DesiredState.claimTemplate(claiming, group.gpusOfAPod(), uid));
        }
        apply(Service.class, GroupState.service(group, uid));
        apply(NetworkPolicy.class, GroupState.policy(group, uid));
        if (wayIn() == AccessMode.SERVICE) {
            for (int rank = 0; rank < group.members(); rank++) {
                apply(Service.class, GroupState.exposed(group, rank, uid));
            }
        }
        String release = SuspendedJob.release(GroupState.job(group));
        return context.ask(() -> cluster.patch(held, release)).orElse(held);
    }

    private AccessMode wayIn() {
        return MachineRoutes.chosen(group.machine().config().endpoint(), cluster.isAround());
    }

    private <T extends HasMetadata> T apply(Class<T> type, T object) {
        return context.ask(() -> cluster.apply(type, object));
    }
}
