package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.system.realcluster.Scripts;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests faults of nodes, networks and clocks of a real cluster, and the messages to users. */
@Tag("real-cluster")
class ClusterFaultsTest {
    private static final String LEASE = "20s";
    private static final Duration MORE_THAN_A_LEASE = Duration.ofSeconds(35);
    private static final Pattern LOCAL_PORT =
            Pattern.compile("10\\.240\\.2\\.2\\]?:(\\d+)\\s+\\S*10\\.240\\.0\\.1\\]?:6443");

    private Scripts scripts;
    private Provided provided;

    @BeforeEach
    void open() {
        scripts = Scripts.open();
        provided = Provided.quick();
    }

    @AfterEach
    void close() {
        if (provided != null) {
            provided.close();
        }
    }

    /** Its heap is larger than the limit of its container, so that the kernel ends it. */
    @Test
    void runtimeThatTakesTooMuchMemoryIsToldWithItsLimit() {
        MachineOptions options = new MachineOptions()
                .option("memory", "900Mi")
                .option("ttl-after-finished", "5s")
                .option("patch", """
                        spec:
                          template:
                            spec:
                              containers:
                              - name: machine
                                env:
                                - {name: JDK_JAVA_OPTIONS, value: -Xmx8g}
                        """);
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", options)) {
            RuntimeException lost = assertThrows(RuntimeException.class, () -> {
                // Each has 256 MiB, and all are alive.
                List<Tensor> alive = new ArrayList<>();
                for (int i = 0; i < 32; i++) {
                    alive.add(machine.rand(64 << 20));
                    alive.getLast().sum().itemDouble();
                }
            });
            assertTrue(lost.getMessage().contains("OOMKilled"), lost::getMessage);
            assertTrue(lost.getMessage().contains("900Mi"), lost::getMessage);
        }
        provided.awaitNothingLeft();
    }

    /** Packets of existing connections are lost from some moment on, in both directions; new connections work. */
    @Test
    void watchThatGoesSilentDoesNotHoldAStartUp() {
        CompletableFuture<Lease> starting = CompletableFuture.supplyAsync(() -> provided.lease());
        provided.await("a watch is open", () -> portsToTheApiServer().contains(","));
        scripts.fault("drop", "tcp sport { " + portsToTheApiServer() + " } ip saddr 10.240.2.2");
        try {
            Lease lease = starting.join();
            provided.release(lease);
        } finally {
            scripts.fault("heal");
        }
        provided.awaitNothingLeft();
    }

    private String portsToTheApiServer() {
        return LOCAL_PORT
                .matcher(scripts.run("client", "ss", "--tcp", "--numeric"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.joining(", "));
    }

    @Test
    void networkThatIsCutForLongerThanTheLeaseLosesTheMachineWithAReason() throws InterruptedException {
        MachineOptions options = new MachineOptions()
                .option("endpoint", "pod-ip")
                .option("lease", LEASE)
                .option("ttl-after-finished", "5s");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", options)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            scripts.fault("cut");
            try {
                Thread.sleep(MORE_THAN_A_LEASE);
            } finally {
                scripts.fault("heal");
            }
            RuntimeException lost = assertThrows(
                    RuntimeException.class, () -> machine.ones(2, 3).sum().itemDouble());
            assertTrue(lost.getMessage().contains("lease"), lost::getMessage);
        }
        provided.awaitNothingLeft();
    }

    /** A drained node evicts the machine; once a node accepts pods again, another machine starts. */
    @Test
    void drainedNodeLosesItsMachineAndGoesOnAfterwards() {
        Lease lease = provided.lease();
        try {
            scripts.kubectl("cordon", "node1");
            scripts.kubectl(
                    "drain",
                    "node1",
                    "--ignore-daemonsets",
                    "--delete-emptydir-data",
                    "--force",
                    "--pod-selector=app.kubernetes.io/name=outpost-machine");
            MachineLoss loss = provided.loss(lease);
            assertTrue(loss.reason().contains("evicted") || loss.reason().contains("drain"), loss::reason);
            assertTrue(
                    provided.refusal("start-timeout", "15s").contains("cordoned")
                            || provided.refusal("start-timeout", "15s").contains("unschedulable"),
                    () -> provided.refusal("start-timeout", "15s"));
        } finally {
            scripts.kubectl("uncordon", "node1");
            provided.release(lease);
        }
        provided.release(provided.lease());
        provided.awaitNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void clockThatIsAnHourOffIsNoReasonToLoseAMachine(int hours) {
        try (Provided skewed = Provided.at(Clock.offset(Clock.systemUTC(), Duration.ofHours(hours)))) {
            MachineOptions options = new MachineOptions().option("endpoint", "pod-ip");
            try (RemoteMachine machine = RemoteMachine.of(skewed.provider, "A100", options)) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
            skewed.awaitNothingLeft();
        }
    }

    /** The start continues, because its deadline is longer than the outage. */
    @Test
    void apiServerThatIsFrozenWhileAMachineStartsDelaysIt() throws InterruptedException {
        CompletableFuture<Lease> starting = CompletableFuture.supplyAsync(() -> provided.lease());
        provided.await("the start has begun", () -> !provided.steps.isEmpty());
        scripts.fault("pause", "apiserver");
        try {
            Thread.sleep(Duration.ofSeconds(20));
        } finally {
            scripts.fault("resume", "apiserver");
        }
        provided.release(starting.join());
        provided.await("the API server answers again", this::isReachable);
        provided.awaitNothingLeft();
    }

    private boolean isReachable() {
        try {
            provided.cluster
                    .client()
                    .pods()
                    .inNamespace(provided.cluster.namespace())
                    .list();
            return true;
        } catch (KubernetesClientException ignored) {
            return false;
        }
    }
}
