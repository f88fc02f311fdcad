package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.ForwardOutage;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import dev.outpost.provider.k8s.watch.MachineObserver;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** From the Job of a machine to the machine in hand: waits until it is ready, opens a way to it, watches over it. */
public final class MachineConnector {
    private final ProvisioningScope attempt;
    private final String machine;
    private final DiagnosticsReader circumstances;
    private final MachineObserver eye;

    /**
     * @param attempt what is opened on the way is added to what it holds
     * @param job as it was when it was made or found
     */
    public MachineConnector(ProvisioningScope attempt, Job job) {
        StartContext effort = attempt.effort();
        this.attempt = attempt;
        this.machine = job.getMetadata().getName();
        this.circumstances = new DiagnosticsReader(
                attempt.cluster(),
                attempt.config().queue(),
                effort.surroundings().nanos());
        this.eye = new MachineObserver(attempt.cluster(), job, effort.demand().news(), effort.surroundings());
        attempt.holdings().add(eye::close);
    }

    /** Returns when the machine is ready. */
    public void awaitReady() {
        reportReady(pod(EarlyPath.none()));
    }

    /** The machine, when it is ready. */
    public KubernetesLease lease(MachineKey key) {
        Pod pod = pod(EarlyPath.to(key.pin(), attempt.config().endpoint()));
        MachineRoute way = new EndpointResolver(attempt).open(machine, pod, key.pin());
        attempt.holdings().add(way::close);
        Endpoint endpoint = new Endpoint.Remote(way.host(), way.port(), key.pin(), key.secret());
        MachineMonitor lifeguard = watch(way);
        reportReady(pod);
        return new KubernetesLease(
                machine,
                endpoint,
                lifeguard,
                attempt.holdings(),
                surroundings().pace().removal());
    }

    private Pod pod(EarlyPath early) {
        return new ReadinessWaiter(eye, circumstances, attempt.effort(), early).await();
    }

    private void reportReady(Pod pod) {
        String node = pod.getSpec().getNodeName();
        attempt.effort()
                .progress()
                .report(Phase.READY, machine + " is ready" + (node == null ? "" : " on node " + node));
    }

    private MachineMonitor watch(MachineRoute way) {
        KubernetesConfig config = attempt.config();
        MachineMonitor lifeguard = new MachineMonitor(
                machine,
                eye,
                circumstances,
                attempt.effort().demand().news(),
                surroundings(),
                new ForwardOutage(List.of(way), config.sessionLease().orElse(config.lease())));
        attempt.holdings().add(lifeguard::dismiss);
        lifeguard.begin();
        return lifeguard;
    }

    private ProviderContext surroundings() {
        return attempt.effort().surroundings();
    }
}
