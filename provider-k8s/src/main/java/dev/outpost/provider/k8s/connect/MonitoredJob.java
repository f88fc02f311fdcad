package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.reach.EarlyPath;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import dev.outpost.provider.k8s.watch.ForwardOutage;
import dev.outpost.provider.k8s.watch.MachineMonitor;
import dev.outpost.provider.k8s.watch.MachineObserver;
import dev.outpost.provider.k8s.watch.NewestPod;
import dev.outpost.provider.k8s.watch.PodChoice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** The Job of a machine or of a group, from the wait until it is ready to its monitoring. */
final class MonitoredJob {
    private final ProvisioningScope scope;
    private final String id;
    private final DiagnosticsReader diagnosticsReader;
    private final MachineObserver observer;

    /**
     * @param scope receives all opened resources
     * @param job the Job at its creation or discovery
     * @param pods chooses the pod that represents the state of the machines
     */
    MonitoredJob(ProvisioningScope scope, Job job, PodChoice pods) {
        ProviderContext context = scope.context().context();
        this.scope = scope;
        this.id = job.getMetadata().getName();
        this.diagnosticsReader =
                new DiagnosticsReader(scope.cluster(), scope.config().queue(), context.nanos());
        this.observer = new MachineObserver(
                scope.cluster(), job, pods, scope.context().deadline().news(), context);
        scope.shutdown().add(observer::close);
    }

    /** Monitors the Job of a single machine. The newest pod represents the machine's state. */
    MonitoredJob(ProvisioningScope scope, Job job) {
        this(scope, job, new NewestPod(scope.context().context().clock()));
    }

    String id() {
        return id;
    }

    /** Returns the pod when it is ready or its machine answers. */
    Pod awaitReady(EarlyPath early) {
        return new ReadinessWaiter(observer, diagnosticsReader, scope.context(), early).await();
    }

    /** Starts to monitor the machines, and returns the object that their leases hold. */
    HeldMachines hold(List<MachineRoute> routes) {
        KubernetesConfig config = scope.config();
        ProviderContext context = scope.context().context();
        MachineMonitor monitor = new MachineMonitor(
                id,
                observer,
                diagnosticsReader,
                scope.context().deadline().news(),
                context,
                new ForwardOutage(routes, config.sessionLease().orElse(config.lease())));
        scope.shutdown().add(monitor::dismiss);
        monitor.begin();
        return new HeldMachines(id, monitor, scope.shutdown(), context.polling().removal(), routes.size());
    }
}
