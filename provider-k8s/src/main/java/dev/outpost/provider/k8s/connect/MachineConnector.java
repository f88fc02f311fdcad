package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** Connects to the machine of a Job: waits until it is ready, opens a route to it, and monitors it. */
public final class MachineConnector {
    private final ProvisioningScope scope;
    private final MonitoredJob job;

    /**
     * @param scope receives all opened resources
     * @param job the Job at its creation or discovery
     */
    public MachineConnector(ProvisioningScope scope, Job job) {
        this.scope = scope;
        this.job = new MonitoredJob(scope, job);
    }

    /** Returns when the machine is ready. */
    public void awaitReady() {
        reportReady(job.awaitReady(EarlyPath.none()));
    }

    /** Returns the lease when the machine is ready. */
    public Lease lease(MachineKey key) {
        Pod pod = job.awaitReady(EarlyPath.to(key.pin(), scope.config().endpoint()));
        MachineRoute route = new EndpointResolver(scope).open(job.id(), pod, key.pin());
        Endpoint endpoint = new Endpoint.Remote(route.host(), route.port(), key.pin(), key.secret());
        HeldMachines held = job.hold(List.of(route));
        reportReady(pod);
        return new KubernetesLease(job.id(), endpoint, held, () -> true);
    }

    private void reportReady(Pod pod) {
        String node = pod.getSpec().getNodeName();
        scope.context()
                .progress()
                .report(MachinePhase.READY, job.id() + " is ready" + (node == null ? "" : " on node " + node));
    }
}
