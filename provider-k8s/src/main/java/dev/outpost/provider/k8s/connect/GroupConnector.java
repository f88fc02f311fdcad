package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.ForwardOutage;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import dev.outpost.provider.k8s.watch.MachineObserver;
import dev.outpost.provider.k8s.watch.MemberPods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;

/** Connects to the machines of a group's Job: waits until all are ready, opens a route to each, and monitors them. */
public final class GroupConnector {
    private final ProvisioningScope scope;
    private final GroupRequest group;
    private final StartContext context;
    private final MemberPods members;
    private final DiagnosticsReader diagnosticsReader;
    private final MachineObserver observer;

    /**
     * @param scope receives all opened resources
     * @param job the Job at its creation
     */
    public GroupConnector(ProvisioningScope scope, GroupRequest group, Job job) {
        this.scope = scope;
        this.group = group;
        this.context = scope.context();
        this.members = new MemberPods(
                group.members(), group.isOnePod(), context.context().clock());
        this.diagnosticsReader = new DiagnosticsReader(
                scope.cluster(), scope.config().queue(), context.context().nanos());
        this.observer = new MachineObserver(
                scope.cluster(), job, members, context.deadline().news(), context.context());
        scope.shutdown().add(observer::close);
    }

    /**
     * Returns the leases of the machines by rank when all are ready.
     *
     * @param keys the keys of the members, by rank
     */
    public List<Lease> leases(List<MachineKey> keys) {
        new ReadinessWaiter(observer, diagnosticsReader, context).await();
        EndpointResolver resolver = new EndpointResolver(scope);
        List<MachineRoute> machineRoutes = new ArrayList<>();
        List<Endpoint> endpoints = new ArrayList<>();
        for (int rank = 0; rank < keys.size(); rank++) {
            MachineRoute route = open(resolver, rank, keys.get(rank));
            machineRoutes.add(route);
            endpoints.add(endpoint(route, keys.get(rank)));
        }
        GroupLeases held = new GroupLeases(
                group.id(),
                watch(machineRoutes),
                members::speaker,
                scope.shutdown(),
                surroundings().polling().removal());
        context.progress().report(MachinePhase.READY, "all machines of " + group.id() + " are ready");
        return held.of(endpoints);
    }

    private MachineRoute open(EndpointResolver resolver, int rank, MachineKey key) {
        Pod pod = members.pod(rank).orElseThrow();
        MachineRoute route = resolver.open(GroupState.exposed(group, rank), pod, key.pin());
        scope.shutdown().add(route::close);
        return route;
    }

    private static Endpoint endpoint(MachineRoute route, MachineKey key) {
        return new Endpoint.Remote(route.host(), route.port(), key.pin(), key.secret());
    }

    private MachineMonitor watch(List<MachineRoute> machineRoutes) {
        KubernetesConfig config = scope.config();
        MachineMonitor monitor = new MachineMonitor(
                group.id(),
                observer,
                diagnosticsReader,
                context.deadline().news(),
                surroundings(),
                new ForwardOutage(machineRoutes, config.sessionLease().orElse(config.lease())));
        scope.shutdown().add(monitor::dismiss);
        monitor.begin();
        return monitor;
    }

    private ProviderContext surroundings() {
        return context.context();
    }
}
