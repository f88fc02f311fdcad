package dev.outpost.provider.k8s;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GroupProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.fleet.KubernetesFleet;
import dev.outpost.provider.k8s.machine.KubernetesGroups;
import dev.outpost.provider.k8s.machine.KubernetesMachines;
import dev.outpost.provider.k8s.machine.KubernetesStart;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Machines on the user's own cluster: one Job for each machine, or one for a whole group. The settings are those of
 * {@link KubernetesConfig}. The options of a machine have the same names and override them.
 */
public final class KubernetesProvider implements GpuProvider, FleetProvider {
    private final ProviderContext context;

    /** Uses the cluster of the kubeconfig, or the cluster in which this program runs. */
    public KubernetesProvider() {
        this(ProviderContext.of(Clients.ofKubeconfig()));
    }

    public KubernetesProvider(ProviderContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "k8s";
    }

    @Override
    public void validate(MachineSpec spec) {
        KubernetesConfig config = context.settings().apply(spec.options());
        context.clients().check(config);
        DesiredState.check(spec.gpu(), config);
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom()
                .deferred(() -> KubernetesStart.of(spec, new LifetimePolicy.ClientLease(), context)
                        .lease(progress));
    }

    @Override
    public Optional<MachineKeeper> keeper() {
        return Optional.of(new KubernetesMachines(context));
    }

    @Override
    public Optional<GroupProvider> groups() {
        return Optional.of(new KubernetesGroups(context));
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        return new KubernetesFleet(installation, options, context);
    }
}
