package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.ForwardOutage;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import dev.outpost.provider.k8s.watch.MachineObserver;
import dev.outpost.provider.k8s.watch.MemberPods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;

/** From the Job of a group to its machines in hand: waits until all are ready, opens a way to each, watches over them. */
public final class GroupConnector {
    private final ProvisioningScope attempt;
    private final GroupRequest group;
    private final StartContext effort;
    private final MemberPods members;
    private final DiagnosticsReader circumstances;
    private final MachineObserver eye;

    /**
     * @param attempt what is opened on the way is added to what it holds
     * @param job as it was when it was made
     */
    public GroupConnector(ProvisioningScope attempt, GroupRequest group, Job job) {
        this.attempt = attempt;
        this.group = group;
        this.effort = attempt.effort();
        this.members = new MemberPods(
                group.members(), group.isOnePod(), effort.surroundings().clock());
        this.circumstances = new DiagnosticsReader(
                attempt.cluster(),
                attempt.config().queue(),
                effort.surroundings().nanos());
        this.eye = new MachineObserver(
                attempt.cluster(), job, members, effort.demand().news(), effort.surroundings());
        attempt.holdings().add(eye::close);
    }

    /**
     * The machines by rank, when all are ready.
     *
     * @param keys of the members, by rank
     */
    public List<Lease> leases(List<MachineKey> keys) {
        new ReadinessWaiter(eye, circumstances, effort).await();
        EndpointResolver resolver = new EndpointResolver(attempt);
        List<MachineRoute> ways = new ArrayList<>();
        List<Endpoint> endpoints = new ArrayList<>();
        for (int rank = 0; rank < keys.size(); rank++) {
            MachineRoute way = open(resolver, rank, keys.get(rank));
            ways.add(way);
            endpoints.add(endpoint(way, keys.get(rank)));
        }
        GroupLeases held = new GroupLeases(
                group.id(),
                watch(ways),
                members::speaker,
                attempt.holdings(),
                surroundings().pace().removal());
        effort.progress().report(Phase.READY, "all machines of " + group.id() + " are ready");
        return held.of(endpoints);
    }

    private MachineRoute open(EndpointResolver resolver, int rank, MachineKey key) {
        Pod pod = members.pod(rank).orElseThrow();
        MachineRoute way = resolver.open(GroupState.exposed(group, rank), pod, key.pin());
        attempt.holdings().add(way::close);
        return way;
    }

    private static Endpoint endpoint(MachineRoute way, MachineKey key) {
        return new Endpoint.Remote(way.host(), way.port(), key.pin(), key.secret());
    }

    private MachineMonitor watch(List<MachineRoute> ways) {
        KubernetesConfig config = attempt.config();
        MachineMonitor lifeguard = new MachineMonitor(
                group.id(),
                eye,
                circumstances,
                effort.demand().news(),
                surroundings(),
                new ForwardOutage(ways, config.sessionLease().orElse(config.lease())));
        attempt.holdings().add(lifeguard::dismiss);
        lifeguard.begin();
        return lifeguard;
    }

    private ProviderContext surroundings() {
        return effort.surroundings();
    }
}
