package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.GroupProvider;
import dev.outpost.provider.GroupSpec;
import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Consumer;

/**
 * Groups on a cluster: one Indexed Job for each group. The members are its pods, or the containers of its only pod.
 */
public final class KubernetesGroups implements GroupProvider {
    private final ProviderContext context;

    public KubernetesGroups(ProviderContext context) {
        this.context = context;
    }

    @Override
    public void validate(GroupSpec spec) {
        context.clients().check(context.settings().apply(spec.machine().options()));
        GroupStart.of(spec, context).check();
    }

    @Override
    public Uni<List<Lease>> provision(GroupSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().deferred(() -> GroupStart.of(spec, context).leases(progress));
    }
}
