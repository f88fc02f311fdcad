package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.connect.KubernetesAttachment;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.task.AdminOperation;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The machines in the namespace of the settings. Starts machines that live without a client; lists and cleans up all machines. */
public final class KubernetesMachines implements MachineKeeper {
    private final ProviderContext context;

    public KubernetesMachines(ProviderContext context) {
        this.context = context;
    }

    @Override
    public Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom()
                .deferred(() -> KubernetesStart.of(spec, new LifetimePolicy.Stated(life), context)
                        .machine(progress));
    }

    @Override
    public Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().deferred(() -> new KubernetesAttachment(id, context.config(), context).lease(progress));
    }

    @Override
    public Uni<List<MachineSummary>> list() {
        return runOperation(operation -> operation.ask(() -> list(operation.cluster())));
    }

    private List<MachineSummary> list(Cluster cluster) {
        List<Job> jobs = cluster.all(Job.class);
        List<Pod> pods = cluster.all(Pod.class);
        return Summaries.of(jobs, pods, context.clock().instant());
    }

    @Override
    public Multi<String> logs(String id, boolean follow) {
        return PodLogReader.of(context, id, follow);
    }

    @Override
    public Uni<Void> stop(String id) {
        return runOperation(operation -> new Stop(operation, id).run());
    }

    @Override
    public Uni<List<String>> sweep() {
        return runOperation(operation -> {
            // If the server does not send its time, no Job counts as abandoned.
            Instant now = operation.ask(operation.cluster()::time).orElse(Instant.EPOCH);
            OrphanJobCleanup orphanJobCleanup = OrphanJobCleanup.of(operation.cluster(), now);
            return operation.ask(orphanJobCleanup::run);
        });
    }

    private <T> Uni<T> runOperation(Function<AdminOperation, T> work) {
        return Uni.createFrom().deferred(() -> AdminOperation.uni(context, context.config(), work));
    }
}
