package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.Endpoint;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import dev.outpost.simulated.kubernetes.node.ProcessRunner;
import dev.outpost.support.tests.AotCache;
import dev.outpost.types.OutpostException;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests containers that really run. */
class RunnersTest {
    private final TestCluster cluster = TestCluster.start();
    private final SampleMachine machine = new SampleMachine(cluster.client());

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aMachineInThisJvmComputes() {
        machine.start();
        assertComputes(machine.ready());
    }

    /** The real runtime in its own process, whose management port the kubelet probes. */
    @Test
    void aMachineInItsOwnProcessComputes() {
        cluster.runWith(new ProcessRunner(runtime()));
        machine.start();
        Pod pod = machine.ready();
        assertComputes(pod);
        String log = cluster.client().pods().resource(pod).getLog();
        assertTrue(log.contains("management  https://" + pod.getStatus().getPodIP() + ":50052"), log);
        cluster.client().resource(pod).delete();
        ClusterAwait.until("the pod is gone", () -> machine.findPod().isEmpty());
        machine.jobWhen("Failed");
        assertEquals(0, cluster.runningContainers());
    }

    @Test
    void aMachineInThisJvmStartsAgain() {
        machine.start();
        machine.ready();
        cluster.client().batch().v1().jobs().withName(SampleMachine.NAME).delete();
        ClusterAwait.until(
                "it is gone",
                () -> machine.findPod().isEmpty() && machine.findJob().isEmpty());
        machine.start();
        machine.ready();
    }

    @Test
    void aWrongTokenOpensNoMachine() {
        machine.start();
        Pod pod = machine.ready();
        Endpoint.Remote stranger = new Endpoint.Remote(
                pod.getStatus().getPodIP(), 50051, machine.key().pin(), "x".repeat(43));
        try (RemoteMachine remote = RemoteMachine.connect(stranger, new MachineOptions())) {
            OutpostException refused = assertThrows(
                    OutpostException.class, () -> remote.ones(1).sum().itemDouble());
            assertTrue(refused.getMessage().contains("token"), refused::getMessage);
        }
    }

    @Test
    void aMachineThatNobodyUsesEndsAndSaysSo() {
        machine.start(with(SampleMachine.variable("LEASE", "PT0.2S"), SampleMachine.variable("END_UNUSED", "PT0.3S")));
        machine.jobWhen("Complete");
        assertEquals(
                "unused: no client has sent anything for 300 ms",
                machine.findPod()
                        .orElseThrow()
                        .getStatus()
                        .getContainerStatuses()
                        .getFirst()
                        .getState()
                        .getTerminated()
                        .getMessage());
    }

    @Test
    void aMachineToWhichNoKeyComesFails() {
        machine.apply(with(SampleMachine.variable("LEASE", "PT0.2S")));
        machine.jobWhen("Failed");
        String message = machine.findPod()
                .orElseThrow()
                .getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getTerminated()
                .getMessage();
        assertTrue(message.startsWith("failed: no key arrived: "), message);
    }

    /** An optional volume is mounted empty, and stays empty until the kubelet checks again. */
    @Test
    void aKeyThatComesLateIsNotSeenBeforeTheNextSync() {
        Job job = machine.apply(with(SampleMachine.variable("LEASE", "PT0.2S")));
        ClusterAwait.until("the container runs", () -> cluster.runningContainers() == 1);
        cluster.client().resource(machine.secret(job)).serverSideApply();
        machine.jobWhen("Failed");
    }

    @Test
    void aKeyThatComesLateIsSeenAtTheNextSync() {
        Job job = machine.apply(SampleMachine.job());
        ClusterAwait.until("the container runs", () -> cluster.runningContainers() == 1);
        cluster.client().resource(machine.secret(job)).serverSideApply();
        cluster.kubelet().advance(Duration.ofSeconds(90));
        assertComputes(machine.ready());
    }

    @Test
    void aKilledMachineIsLostToItsClient() {
        machine.start();
        try (RemoteMachine remote = connect(machine.ready())) {
            assertEquals(6.0, remote.ones(2, 3).sum().itemDouble());
            cluster.pods().fail(SampleMachine.NAME, new PodFailure.Killed());
            machine.jobWhen("Failed");
            assertEquals(0, cluster.runningContainers());
        }
    }

    /** The command of the runtime that this build has made. */
    private static List<String> runtime() {
        Path jar = Path.of(System.getProperty("outpost.runtime.jar"));
        List<String> jvm = List.of(
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Doutpost.cpu.vectors=false");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        List<String> arguments = List.of("--host", "127.0.0.1", "--port", "0");
        command.addAll(AotCache.options(jar, new AotCache.Training(jvm, arguments, "device", lines -> {})));
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    private void assertComputes(Pod pod) {
        try (RemoteMachine remote = connect(pod)) {
            assertEquals(6.0, remote.ones(2, 3).sum().itemDouble());
        }
    }

    private RemoteMachine connect(Pod pod) {
        Endpoint.Remote endpoint = new Endpoint.Remote(
                pod.getStatus().getPodIP(),
                50051,
                machine.key().pin(),
                machine.key().secret());
        return RemoteMachine.connect(endpoint, new MachineOptions());
    }

    private static Job with(EnvVar... variables) {
        return SampleMachine.job(spec -> {
            List<EnvVar> environment =
                    spec.getTemplate().getSpec().getContainers().getFirst().getEnv();
            for (EnvVar variable : variables) {
                environment.removeIf(other -> other.getName().equals(variable.getName()));
                environment.add(variable);
            }
        });
    }
}
