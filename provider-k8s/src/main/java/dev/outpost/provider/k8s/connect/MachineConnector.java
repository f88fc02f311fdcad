package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.ForwardOutage;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import dev.outpost.provider.k8s.watch.MachineObserver;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** Connects to the machine of a Job: waits until it is ready, opens a route to it, and monitors it. */
public final class MachineConnector {
    private final ProvisioningScope scope;
    private final String machine;
    private final DiagnosticsReader diagnosticsReader;
    private final MachineObserver observer;

    /**
     * @param scope receives all opened resources
     * @param job the Job at its creation or discovery
     */
    public MachineConnector(ProvisioningScope scope, Job job) {
        StartContext context = scope.context();
        this.scope = scope;
        this.machine = job.getMetadata().getName();
        this.diagnosticsReader = new DiagnosticsReader(
                scope.cluster(), scope.config().queue(), context.context().nanos());
        this.observer =
                new MachineObserver(scope.cluster(), job, context.deadline().news(), context.context());
        scope.shutdown().add(observer::close);
    }

    /** Returns when the machine is ready. */
    public void awaitReady() {
        reportReady(pod(EarlyPath.none()));
    }

    /** Returns the lease when the machine is ready. */
    public KubernetesLease lease(MachineKey key) {
        Pod pod = pod(EarlyPath.to(key.pin(), scope.config().endpoint()));
        MachineRoute route = new EndpointResolver(scope).open(machine, pod, key.pin());
        scope.shutdown().add(route::close);
        Endpoint endpoint = new Endpoint.Remote(route.host(), route.port(), key.pin(), key.secret());
        MachineMonitor monitor = watch(route);
        reportReady(pod);
        return new KubernetesLease(
                machine,
                endpoint,
                monitor,
                scope.shutdown(),
                surroundings().polling().removal());
    }

    private Pod pod(EarlyPath early) {
        return new ReadinessWaiter(observer, diagnosticsReader, scope.context(), early).await();
    }

    private void reportReady(Pod pod) {
        String node = pod.getSpec().getNodeName();
        scope.context()
                .progress()
                .report(MachinePhase.READY, machine + " is ready" + (node == null ? "" : " on node " + node));
    }

    private MachineMonitor watch(MachineRoute route) {
        KubernetesConfig config = scope.config();
        MachineMonitor monitor = new MachineMonitor(
                machine,
                observer,
                diagnosticsReader,
                scope.context().deadline().news(),
                surroundings(),
                new ForwardOutage(List.of(route), config.sessionLease().orElse(config.lease())));
        scope.shutdown().add(monitor::dismiss);
        monitor.begin();
        return monitor;
    }

    private ProviderContext surroundings() {
        return scope.context().context();
    }
}
