package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.desired.HeldJob;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;

/**
 * Brings the objects of a group into the cluster, in the order in which those of a machine come. Where one of them is refused, the Job
 * goes, and with it all the others: a group is there whole or not at all.
 */
public final class GroupLaunch {
    private final Cluster cluster;
    private final GroupRequest group;

    public GroupLaunch(Cluster cluster, GroupRequest group) {
        this.cluster = cluster;
        this.group = group;
    }

    /**
     * The Job, when everything is there.
     *
     * @param keys of the members, by rank
     * @param grant the secret by which the members know each other
     */
    public Job launch(List<MachineKey> keys, String grant) {
        Job held = cluster.apply(Job.class, GroupState.heldJob(group));
        try {
            String uid = held.getMetadata().getUid();
            cluster.apply(Secret.class, GroupState.secret(group, keys, grant, uid));
            cluster.apply(Service.class, GroupState.service(group, uid));
            cluster.apply(NetworkPolicy.class, GroupState.policy(group, uid));
            return cluster.patch(Job.class, group.id(), HeldJob.release(GroupState.job(group)))
                    .orElse(held);
        } catch (RuntimeException refused) {
            cluster.delete(group.id());
            throw refused;
        }
    }

    /** Whether all members are ready: fewer are of no use. */
    public static boolean isReady(Job job) {
        Integer ready = job.getStatus() == null ? null : job.getStatus().getReady();
        return ready != null && ready.equals(job.getSpec().getParallelism());
    }
}
