package dev.outpost.simulated.kubernetes;

import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.ApiServer;
import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.Doors;
import dev.outpost.simulated.kubernetes.api.Kind;
import dev.outpost.simulated.kubernetes.api.RequestCounts;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.control.JobController;
import dev.outpost.simulated.kubernetes.control.PacedClock;
import dev.outpost.simulated.kubernetes.device.ClaimController;
import dev.outpost.simulated.kubernetes.device.TestDevices;
import dev.outpost.simulated.kubernetes.node.Addresses;
import dev.outpost.simulated.kubernetes.node.InJvmRunner;
import dev.outpost.simulated.kubernetes.node.PodFaults;
import dev.outpost.simulated.kubernetes.node.PodRunner;
import dev.outpost.simulated.kubernetes.node.ServiceProxy;
import dev.outpost.simulated.kubernetes.node.TestKubelet;
import dev.outpost.simulated.kubernetes.node.TestNode;
import dev.outpost.simulated.kubernetes.node.TestScheduler;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A cluster inside this JVM: an API server with Fabric8's mock as its store, the controllers of Jobs and garbage, a scheduler
 * and a kubelet whose containers really run, load balancers and node ports. It has a node without GPUs, two with eight A100s each, and a
 * namespace that enforces the Pod Security Standard {@code restricted}.
 */
public final class TestCluster implements ClusterUnderTest {
    private static final String NAMESPACE = "outpost";
    private static final String A100 = "NVIDIA-A100-SXM4-80GB";

    private final Addresses addresses = Addresses.take();
    private final ApiServer server = new ApiServer(InstantSource.system());
    private final TestScheduler scheduler;
    private final TestKubelet kubelet;
    private final ServiceProxy services;
    private final JobController jobs;
    private final ClaimController claims;
    private final Doors doors;
    private final KubernetesClient client;
    private final Map<String, LongAdder> made = new ConcurrentHashMap<>();

    private TestCluster() {
        ClusterObjects objects = server.objects();
        objects.follow(this::count);
        scheduler = new TestScheduler(objects, server.time());
        kubelet =
                new TestKubelet(objects, server.time(), new PacedClock(System::nanoTime), addresses, new InJvmRunner());
        services = new ServiceProxy(objects, addresses);
        jobs = new JobController(objects, server.time(), new PacedClock(System::nanoTime));
        claims = new ClaimController(objects, server.time());
        doors = new Doors(server, kubelet, addresses.ofServer());
        client = ClusterConnection.client(ClusterConnection.config(doors.backUrl(), "", NAMESPACE));
    }

    public static TestCluster start() {
        TestCluster cluster = new TestCluster();
        cluster.addNamespace(NAMESPACE);
        cluster.addNode(TestNode.named("cpu-1"));
        cluster.addNode(TestNode.named("a100-1").gpus(8, A100));
        cluster.addNode(TestNode.named("a100-2").gpus(8, A100));
        return cluster;
    }

    /**
     * Starts a cluster whose GPUs are DRA devices, without extended resources: a node without GPUs ({@code cpu-1}), one
     * with eight A100 of 80 GB ({@code a100-1}), one with two of 40 GB ({@code a100-40}), one with four H100 ({@code
     * h100-1}) and one with two MIG slices of an H100 ({@code mig-1}).
     */
    public static TestCluster startWithDevices() {
        TestCluster cluster = new TestCluster();
        cluster.addNamespace(NAMESPACE);
        List.of("cpu-1", "a100-1", "a100-40", "h100-1", "mig-1").forEach(name -> cluster.addNode(TestNode.named(name)));
        cluster.devices()
                .install()
                .publish("a100-1", TestDevices.gpus(8, "NVIDIA A100-SXM4-80GB", "80Gi", "8.0.0"))
                .publish("a100-40", TestDevices.gpus(2, "NVIDIA A100-SXM4-40GB", "40Gi", "8.0.0"))
                .publish("h100-1", TestDevices.gpus(4, "NVIDIA H100 80GB HBM3", "81559Mi", "9.0.0"))
                .publish("mig-1", TestDevices.slices(2, "1g.10gb", "NVIDIA H100 80GB HBM3", "9728Mi", "9.0.0"));
        return cluster;
    }

    // ---- connections

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Config config() {
        return ClusterConnection.config(doors.front().url(), doors.front().token(), NAMESPACE);
    }

    @Override
    public Path kubeconfig(Path file) {
        return ClusterConnection.kubeconfig(config(), file);
    }

    @Override
    public String namespace() {
        return NAMESPACE;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("namespace", NAMESPACE, "image", "registry.example/outpost-runtime:test", "engine", "cpu");
    }

    // ---- objects and parts

    /** The objects, for a test that acts as a part of the cluster. */
    public ClusterObjects objects() {
        return server.objects();
    }

    public void addNamespace(String name) {
        objects()
                .create(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                                .endMetadata()
                                .build(),
                        Namespace.class);
    }

    public void addNode(TestNode node) {
        objects().create(node.node(), Node.class);
    }

    public void removeNode(String name) {
        objects().find(Node.class, null, name).ifPresent(objects()::remove);
    }

    /** The devices that nodes publish. */
    public TestDevices devices() {
        return new TestDevices(objects());
    }

    /** Adds a kind of another system, such as Kueue's. */
    public void install(Kind kind) {
        server.kinds().install(kind);
    }

    /** Runs later pods with this runner; {@link InJvmRunner} by default. */
    public void runWith(PodRunner runner) {
        kubelet.runWith(runner);
    }

    /** The kubelet that runs the pods. */
    public TestKubelet kubelet() {
        return kubelet;
    }

    /** The controller of Jobs: its clock, and whether it may make pods. */
    public JobController jobs() {
        return jobs;
    }

    // ---- faults

    @Override
    public ApiFaults faults() {
        return doors.front().faults();
    }

    @Override
    public PodFaults pods() {
        return kubelet.faults();
    }

    /** Forbids this to clients from now on; {@code resource} is spelled as in roles, such as {@code pods/log}. */
    public void deny(Verb verb, String resource) {
        server.deny(verb, resource);
    }

    // ---- counts

    @Override
    public RequestCounts requests() {
        return doors.front().counts();
    }

    @Override
    public long made(String resource) {
        return made.getOrDefault(resource, new LongAdder()).sum();
    }

    /** Returns the number of running containers. */
    public int runningContainers() {
        return kubelet.running();
    }

    /** Returns the number of open watches of clients. */
    public int openWatches() {
        return server.openWatches();
    }

    private void count(Change change) {
        if (change.type() == Change.Type.ADDED) {
            made.computeIfAbsent(change.path().resource(), resource -> new LongAdder())
                    .increment();
        }
    }

    /** Kills all containers. Fails if a part of the cluster failed. */
    @Override
    public void close() {
        try (addresses;
                doors;
                server;
                services;
                kubelet;
                scheduler;
                claims;
                jobs) {
            client.close();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
