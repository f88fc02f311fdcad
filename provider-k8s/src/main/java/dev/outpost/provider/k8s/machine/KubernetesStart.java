package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.connect.MachineConnector;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.AdminOperation;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.support.MachineNames;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Starts one machine. Removes everything that it made if the start fails or is cancelled. */
public final class KubernetesStart {
    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final KubernetesMachineSpec request;
    private final ProviderContext context;
    private volatile boolean kept;

    private KubernetesStart(KubernetesMachineSpec request, ProviderContext context) {
        this.request = request;
        this.context = context;
    }

    /** Prepares a machine with a new name; starts nothing. */
    public static KubernetesStart of(MachineSpec spec, LifetimePolicy lifetime, ProviderContext context) {
        KubernetesConfig config = context.settings().apply(spec.options());
        String id = new MachineNames(context.random()).draw(spec.gpu());
        return new KubernetesStart(
                new KubernetesMachineSpec(id, spec.gpu(), lifetime, context.owner(), config), context);
    }

    /** Starts the machine. It lives as long as the lease is held. */
    public Uni<Lease> lease(Consumer<ProvisioningStep> progress) {
        return start(progress, this::lease, lease -> lease.release().subscribe().with(done -> {}));
    }

    /** Starts a machine that lives independently of this program. Emits its id when it is ready. */
    public Uni<String> machine(Consumer<ProvisioningStep> progress) {
        return start(progress, this::machine, id -> removeLater());
    }

    private <T> Uni<T> start(
            Consumer<ProvisioningStep> progress,
            BiFunction<ProvisioningScope, CompletableFuture<MachineKey>, T> work,
            Consumer<T> undo) {
        return context.task(
                "outpost-start-" + request.id(),
                request.config().startTimeout(),
                deadline -> attempt(deadline, progress, work),
                undo);
    }

    /** Runs one attempt. The key is made while the client connects, because both take time. */
    private <T> T attempt(
            CancellableDeadline deadline,
            Consumer<ProvisioningStep> progress,
            BiFunction<ProvisioningScope, CompletableFuture<MachineKey>, T> work) {
        CompletableFuture<MachineKey> key = CompletableFuture.supplyAsync(
                () -> MachineKey.create(context.clock(), context.random()), VIRTUAL_THREADS);
        StartContext startContext = StartContext.of(deadline, progress, context);
        return ProvisioningScope.run(request.config(), startContext, scope -> work.apply(scope, key));
    }

    private Lease lease(ProvisioningScope scope, CompletableFuture<MachineKey> key) {
        return launch(scope, key).lease(key.join());
    }

    private String machine(ProvisioningScope scope, CompletableFuture<MachineKey> key) {
        launch(scope, key).awaitReady();
        kept = true;
        scope.shutdown().close();
        return request.id();
    }

    private MachineConnector launch(ProvisioningScope scope, CompletableFuture<MachineKey> key) {
        Cluster cluster = scope.cluster();
        scope.context().progress().report(MachinePhase.QUEUED, "asking for " + request.gpu() + " in " + cluster.name());
        scope.shutdown().add(() -> removeUnlessKept(cluster));
        Job job = MachineLauncher.of(cluster, request, scope.context(), key);
        OrphanJobCleanup.inBackground(cluster, job);
        return new MachineConnector(scope, job);
    }

    private void removeUnlessKept(Cluster cluster) {
        if (!kept) {
            new JobDeletion(cluster, request.id(), request.config().lease(), context).run();
        }
    }

    /** Removes a machine that became ready just when the start was cancelled. */
    private void removeLater() {
        kept = false;
        AdminOperation.uni(context, request.config(), operation -> {
                    removeUnlessKept(operation.cluster());
                    return request.id();
                })
                .subscribe()
                .with(done -> {});
    }
}
