package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.connect.MachineConnector;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.AdminOperation;
import dev.outpost.provider.k8s.task.CancellableTask;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.ProvisioningScope;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.MachineNames;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Makes one machine. What was begun is taken back when it fails, or when nobody wants it any more. */
public final class KubernetesStart {
    private static final Executor VIRTUAL_THREADS = Thread::startVirtualThread;

    private final KubernetesMachineSpec request;
    private final ProviderContext surroundings;
    private volatile boolean kept;

    private KubernetesStart(KubernetesMachineSpec request, ProviderContext surroundings) {
        this.request = request;
        this.surroundings = surroundings;
    }

    /** A machine with a name of its own; nothing is begun. */
    public static KubernetesStart of(MachineSpec spec, LifetimePolicy life, ProviderContext surroundings) {
        KubernetesConfig config = surroundings.settings().apply(spec.options());
        String id = new MachineNames(surroundings.random()).draw(spec.gpu());
        return new KubernetesStart(new KubernetesMachineSpec(id, spec.gpu(), life, surroundings.owner(), config), surroundings);
    }

    /** Makes it for as long as the lease is held. */
    public Uni<Lease> lease(Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni(
                name(),
                this::demand,
                demand -> attempt(demand, progress, this::lease),
                lease -> lease.release().subscribe().with(done -> {}));
    }

    /** Makes it live on by itself, and answers its id when it is ready. */
    public Uni<String> machine(Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni(
                name(), this::demand, demand -> attempt(demand, progress, this::machine), id -> removeLater());
    }

    private String name() {
        return "outpost-start-" + request.id();
    }

    private CancellableDeadline demand() {
        return new CancellableDeadline(request.config().startTimeout(), surroundings.nanos());
    }

    /** The key is made while the client connects, since both take their time. */
    private <T> T attempt(
            CancellableDeadline demand,
            Consumer<ProvisioningStep> progress,
            BiFunction<ProvisioningScope, CompletableFuture<MachineKey>, T> work) {
        CompletableFuture<MachineKey> key = CompletableFuture.supplyAsync(
                () -> MachineKey.create(surroundings.clock(), surroundings.random()), VIRTUAL_THREADS);
        StartContext effort = StartContext.of(demand, progress, surroundings);
        return ProvisioningScope.run(request.config(), effort, attempt -> work.apply(attempt, key));
    }

    private Lease lease(ProvisioningScope attempt, CompletableFuture<MachineKey> key) {
        return launch(attempt, key).lease(key.join());
    }

    private String machine(ProvisioningScope attempt, CompletableFuture<MachineKey> key) {
        launch(attempt, key).awaitReady();
        kept = true;
        attempt.holdings().close();
        return request.id();
    }

    private MachineConnector launch(ProvisioningScope attempt, CompletableFuture<MachineKey> key) {
        Cluster cluster = attempt.cluster();
        attempt.effort().progress().report(Phase.QUEUED, "asking for " + request.gpu() + " in " + cluster.name());
        attempt.holdings().add(() -> removeUnlessKept(cluster));
        Job job = MachineLauncher.of(cluster, request, attempt.effort(), key);
        OrphanJobCleanup.inBackground(cluster, job);
        return new MachineConnector(attempt, job);
    }

    private void removeUnlessKept(Cluster cluster) {
        if (!kept) {
            new JobDeletion(cluster, request.id(), request.config().lease(), surroundings).run();
        }
    }

    /** It was ready just when nobody wanted it any more. */
    private void removeLater() {
        kept = false;
        AdminOperation.uni(surroundings, request.config(), errand -> {
                    removeUnlessKept(errand.cluster());
                    return request.id();
                })
                .subscribe()
                .with(done -> {});
    }
}
