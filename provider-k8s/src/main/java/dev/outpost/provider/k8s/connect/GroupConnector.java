package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.watch.MemberPods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;

/** Connects to the machines of a group's Job: waits until all are ready, opens a route to each, and monitors them. */
public final class GroupConnector {
    private final ProvisioningScope scope;
    private final GroupRequest group;
    private final MemberPods members;
    private final MonitoredJob job;

    /**
     * @param scope receives all opened resources
     * @param job the Job at its creation
     */
    public GroupConnector(ProvisioningScope scope, GroupRequest group, Job job) {
        this.scope = scope;
        this.group = group;
        this.members = new MemberPods(
                group.members(), group.isOnePod(), scope.context().context().clock());
        this.job = new MonitoredJob(scope, job, members);
    }

    /**
     * Returns the leases of the machines by rank when all are ready.
     *
     * @param keys the keys of the members, by rank
     */
    public List<Lease> leases(List<MachineKey> keys) {
        job.awaitReady(EarlyPath.none());
        EndpointResolver resolver = new EndpointResolver(scope);
        List<MachineRoute> routes = new ArrayList<>();
        for (int rank = 0; rank < keys.size(); rank++) {
            Pod pod = members.pod(rank).orElseThrow();
            routes.add(resolver.open(
                    GroupState.exposed(group, rank), pod, keys.get(rank).pin()));
        }
        HeldMachines held = job.hold(routes);
        List<Lease> leases = new ArrayList<>();
        for (int rank = 0; rank < keys.size(); rank++) {
            leases.add(lease(rank, routes.get(rank), keys.get(rank), held));
        }
        scope.context().progress().report(MachinePhase.READY, "all machines of " + group.id() + " are ready");
        return List.copyOf(leases);
    }

    private Lease lease(int rank, MachineRoute route, MachineKey key, HeldMachines held) {
        Endpoint endpoint = new Endpoint.Remote(route.host(), route.port(), key.pin(), key.secret());
        return new KubernetesLease(group.id() + "-" + rank, endpoint, held, () -> members.speaker() == rank);
    }
}
