package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.ClusterUnderTest;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.system.realcluster.Scripts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** A cluster, and a program's provider for it, with short waits for tests. */
final class Provided implements AutoCloseable {
    static final Timings TIMINGS = Timings.ofThisRun();
    static final Duration TIMEOUT = TIMINGS.timeout();

    /** More than the time in which a kubelet lets a container end. */
    private static final Duration LONGEST_WAIT = TIMEOUT.plusSeconds(10);

    final ClusterUnderTest cluster;
    final KubernetesProvider provider;
    final List<ProvisioningStep> steps = new CopyOnWriteArrayList<>();
    private final Map<String, String> defaults;
    private final List<Lease> leases = new CopyOnWriteArrayList<>();

    private Provided(ClusterUnderTest cluster, Map<String, String> settings) {
        this(cluster, settings, InstantSource.system());
    }

    private Provided(ClusterUnderTest cluster, Map<String, String> settings, InstantSource clock) {
        this.cluster = cluster;
        this.defaults = with(cluster.options(), settings);
        this.provider = new KubernetesProvider(ProviderContext.of(Clients.of(cluster.config()))
                .withSettings(options -> SettingsReader.of(with(defaults, options)))
                .withClock(clock)
                .withPolling(TIMINGS.polling()));
    }

    /**
     * Starts on a separate cluster.
     *
     * @param settings the settings that replace those of the process
     */
    static Provided with(Map<String, String> settings) {
        return new Provided(ChosenCluster.open(), settings);
    }

    /** For a program with another clock. */
    static Provided at(InstantSource clock) {
        return new Provided(ChosenCluster.open(), Map.of(), clock);
    }

    /** The usual provider of tests: in the test cluster pods are on this host, and a machine whose client is slow to connect does not end. */
    static Provided quick() {
        return with(Map.of());
    }

    /** A provider on a cluster whose GPUs are devices; the test is skipped on a real cluster without the DeviceClass. */
    static Provided withDevices() {
        if (!ChosenCluster.isReal()) {
            return new Provided(TestCluster.startWithDevices(), Map.of());
        }
        ClusterUnderTest real = ChosenCluster.open();
        if (real.client()
                        .resources(DeviceClass.class)
                        .withName("gpu.nvidia.com")
                        .get()
                == null) {
            real.close();
            Assumptions.abort("this cluster has no DeviceClass gpu.nvidia.com");
        }
        return new Provided(real, Map.of("gpu-allocation", "resource-claim", "resource-name", "nvidia.com/gpu"));
    }

    // ---- machines

    MachineSpec spec(String gpu, String... options) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        return new MachineSpec(GpuCatalogue.standard().find(gpu), 1, map, "k8s-" + gpu);
    }

    /** A machine with an A100. */
    Lease lease(String... options) {
        return leaseOf("A100", options);
    }

    Lease leaseOf(String gpu, String... options) {
        Lease lease = provider.provision(spec(gpu, options), steps::add).await().atMost(TIMEOUT);
        leases.add(lease);
        return lease;
    }

    /** The reason why there is no machine. */
    String refusal(String... options) {
        return assertThrows(RuntimeException.class, () -> lease(options)).getMessage();
    }

    void release(Lease lease) {
        leases.remove(lease);
        lease.release().await().atMost(TIMEOUT);
    }

    MachineLoss loss(Lease lease) {
        return lease.lost().await().atMost(TIMEOUT);
    }

    MachineKeeper keeper() {
        return provider.keeper().orElseThrow();
    }

    // ---- the cluster

    /** Waits for an event that the cluster causes, at most for the time that the cluster of this run may take. */
    void await(String what, BooleanSupplier condition) {
        ClusterAwait.until(what, LONGEST_WAIT, condition);
    }

    /** Waits for a value in the same way. */
    <T> T awaitPresent(String what, Supplier<Optional<T>> look) {
        return ClusterAwait.present(what, LONGEST_WAIT, look);
    }

    /** Aborts the test on a real cluster, which has no such controls. */
    TestCluster levers() {
        return cluster instanceof TestCluster test
                ? test
                : Assumptions.abort("a real cluster cannot be told to behave like this");
    }

    <T extends HasMetadata> List<T> objects(Class<T> type) {
        return cluster.client()
                .resources(type)
                .inNamespace(cluster.namespace())
                .withLabels(MachineLabels.ofAll())
                .list()
                .getItems();
    }

    /** Deletes a pod as an administrator, since users may not. */
    void delete(Pod pod) {
        if (ChosenCluster.isReal()) {
            Scripts.open()
                    .kubectl(
                            "delete",
                            "pod",
                            pod.getMetadata().getName(),
                            "--namespace=" + cluster.namespace(),
                            "--wait=false");
        } else {
            cluster.client().resource(pod).delete();
        }
    }

    /** Waits until no machine is left, nor any object that belonged to one. */
    void awaitNothingLeft() {
        awaitNone(Job.class);
        awaitNone(Pod.class);
        awaitNone(Secret.class);
        awaitNone(Service.class);
        if (!ChosenCluster.isReal()) {
            awaitNone(ResourceClaimTemplate.class);
            awaitNone(ResourceClaim.class);
        }
    }

    private <T extends HasMetadata> void awaitNone(Class<T> type) {
        await(
                "there is no " + type.getSimpleName() + " left",
                () -> objects(type).isEmpty());
    }

    /** Releases all machines, because a real cluster outlives the test, which may have been aborted while it had one. */
    @Override
    public void close() {
        leases.forEach(this::release);
        cluster.close();
    }

    private static Map<String, String> with(Map<String, String> less, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(Map.of("endpoint", "pod-ip", "lease", TIMEOUT.toString()));
        all.putAll(less);
        all.putAll(more);
        return all;
    }
}
