package dev.outpost.provider.k8s.connect;

import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Uni;
import java.util.function.Consumer;

/** Attaches to a machine that lives without a client. Releasing the lease does not change the machine. */
public final class KubernetesAttachment {
    private final String id;
    private final KubernetesConfig config;
    private final ProviderContext context;

    public KubernetesAttachment(String id, KubernetesConfig config, ProviderContext context) {
        this.id = id;
        this.config = config;
        this.context = context;
    }

    public Uni<Lease> lease(Consumer<ProvisioningStep> progress) {
        return context.task(
                "outpost-attach-" + id,
                config.startTimeout(),
                deadline -> ProvisioningScope.run(config, StartContext.of(deadline, progress, context), this::lease),
                lease -> lease.release().subscribe().with(done -> {}));
    }

    private Lease lease(ProvisioningScope scope) {
        Cluster cluster = scope.cluster();
        Job job = scope.context().ask(() -> cluster.job(id)).orElseThrow(() -> ClusterException.noMachine(id, cluster));
        requireStated(job);
        return new MachineConnector(scope, job).lease(key(scope));
    }

    private void requireStated(Job job) {
        String life = job.getMetadata().getLabels().get(MachineLabels.LIFE);
        if (MachineLabels.CONTROLLED.equals(life)) {
            throw new ClusterException(id + " belongs to the control plane "
                    + job.getMetadata().getLabels().get(MachineLabels.INSTALLATION) + ", which decides who may use it");
        }
        if (!MachineLabels.STATED.equals(life)) {
            throw new ClusterException(id + " belongs to the program that started it, and ends with it;"
                    + " ./outpost machines start makes one that others can attach to");
        }
    }

    private MachineKey key(ProvisioningScope scope) {
        Secret secret = scope.context()
                .ask(() -> scope.cluster().secret(id))
                .orElseThrow(() -> new ClusterException(id + " has no key: its Secret was deleted, or never"
                        + " created. It cannot be reached any more; ./outpost machines stop " + id + " removes it"));
        return MachineKey.read(secret.getData());
    }
}
