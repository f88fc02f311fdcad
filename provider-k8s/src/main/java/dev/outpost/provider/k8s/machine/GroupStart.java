package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.GroupSpec;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.connect.GroupConnector;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.support.MachineNames;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Uni;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Starts the machines of one group. Removes everything that it made if the start fails or is cancelled. */
public final class GroupStart {
    private static final int GRANT_BYTES = 32;

    private final GroupRequest group;
    private final ProviderContext context;

    private GroupStart(GroupRequest group, ProviderContext context) {
        this.group = group;
        this.context = context;
    }

    /** Prepares a group with a new name; starts nothing. */
    public static GroupStart of(GroupSpec spec, ProviderContext context) {
        MachineSpec machine = spec.machine();
        String id = new MachineNames(context.random()).draw(machine.gpu());
        KubernetesMachineSpec request = new KubernetesMachineSpec(
                id,
                machine.gpu(),
                new LifetimePolicy.ClientLease(),
                context.owner(),
                context.settings().apply(machine.options()));
        return new GroupStart(new GroupRequest(request, spec.size(), spec.isOneHost()), context);
    }

    /**
     * Refuses an invalid group without asking the cluster.
     *
     * @throws IllegalArgumentException if such a group cannot be described; the message names the setting
     */
    void check() {
        GroupState.check(group);
    }

    /** Starts the machines. They live as long as one of the leases is held. */
    public Uni<List<Lease>> leases(Consumer<ProvisioningStep> progress) {
        return context.task(
                "outpost-start-" + group.id(),
                group.machine().config().startTimeout(),
                deadline -> ProvisioningScope.run(
                        group.machine().config(), StartContext.of(deadline, progress, context), this::leases),
                leases -> leases.forEach(lease -> lease.release().subscribe().with(done -> {})));
    }

    private List<Lease> leases(ProvisioningScope scope) {
        Cluster cluster = scope.cluster();
        scope.context()
                .progress()
                .report(
                        MachinePhase.QUEUED,
                        "asking for " + group.members() + " times "
                                + group.machine().gpu() + " in " + cluster.name());
        scope.shutdown()
                .add(() -> new JobDeletion(
                                cluster, group.id(), group.machine().config().lease(), context)
                        .run());
        List<MachineKey> keys = IntStream.range(0, group.members())
                .mapToObj(rank -> MachineKey.create(context.clock(), context.random()))
                .toList();
        Job job = GroupLaunch.of(cluster, group, scope.context(), keys, grant());
        OrphanJobCleanup.inBackground(cluster, job);
        return new GroupConnector(scope, group, job).leases(keys);
    }

    private String grant() {
        byte[] bytes = new byte[GRANT_BYTES];
        context.random().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
