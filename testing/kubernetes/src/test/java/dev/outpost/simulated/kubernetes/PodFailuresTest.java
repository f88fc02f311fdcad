package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.node.PodFailure;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the state of pods after failures. */
class PodFailuresTest {
    private static final String IMAGE = "registry.example/outpost-runtime:test";
    private static final String DISTURBED = "DisruptionTarget ";

    private final TestCluster cluster = TestCluster.start();
    private final SampleMachine machine = new SampleMachine(cluster.client());

    @AfterEach
    void close() {
        cluster.close();
    }

    /**
     * @param phase the phase of the pod, with its reason if it has one
     * @param container the container's state in a line; empty if there is none
     * @param event the reason of the event that reports it; empty for none
     */
    record Case(PodFailure failure, String phase, String container, String event) {
        @Override
        public String toString() {
            return failure.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void looks(Case one) {
        cluster.pods().failNext(one.failure);
        machine.start();
        ClusterAwait.until(
                "the pod is " + one.phase + ", " + one.container,
                () -> machine.findPod()
                        .filter(pod -> one.phase.equals(phase(pod)) && one.container.equals(container(pod)))
                        .isPresent());
        // A status is written before its event.
        ClusterAwait.until(
                "an event " + one.event, () -> one.event.isEmpty() || reasons().contains(one.event));
    }

    static Stream<Case> cases() {
        String loop = "back-off 10s restarting failed container=machine";
        return Stream.of(
                new Case(
                        new PodFailure.ImagePull("manifest unknown"),
                        "Pending",
                        "waiting ImagePullBackOff: Back-off pulling image \"" + IMAGE
                                + "\": ErrImagePull: failed to pull and unpack image \"" + IMAGE
                                + "\": manifest unknown",
                        "BackOff"),
                new Case(
                        new PodFailure.InvalidImage(),
                        "Pending",
                        "waiting InvalidImageName: Failed to apply default image tag \"" + IMAGE
                                + "\": couldn't parse image name \"" + IMAGE + "\": invalid reference format",
                        "InspectFailed"),
                new Case(
                        new PodFailure.ConfigError("secret \"x\" not found"),
                        "Pending",
                        "waiting CreateContainerConfigError: secret \"x\" not found",
                        "Failed"),
                new Case(
                        new PodFailure.AdmissionError("Allocate failed"),
                        "Failed UnexpectedAdmissionError: Pod was rejected: Allocate failed",
                        "",
                        "UnexpectedAdmissionError"),
                new Case(
                        new PodFailure.Hang("FailedMount", "a volume is missing"),
                        "Pending",
                        "waiting ContainerCreating: ",
                        "FailedMount"),
                new Case(
                        new PodFailure.Crash(3, List.of("no such device", "giving up")),
                        "Failed",
                        "terminated 3 Error: no such device\ngiving up",
                        "Started"),
                new Case(
                        new PodFailure.CrashLoop(3, List.of("no such device")),
                        "Running",
                        "waiting CrashLoopBackOff: " + loop,
                        "BackOff"),
                new Case(new PodFailure.Killed(), "Failed", "terminated 137 Error: ", "Started"),
                new Case(new PodFailure.OutOfMemory(), "Failed", "terminated 137 OOMKilled: ", "Started"),
                new Case(
                        new PodFailure.Evicted("The node was low on resource: memory."),
                        "Failed Evicted: The node was low on resource: memory.",
                        "terminated 137 Error: ",
                        "Evicted"));
    }

    @Test
    void aCrashLeavesItsLog() {
        cluster.pods().failNext(new PodFailure.Crash(3, List.of("no such device", "giving up")));
        machine.start();
        machine.jobWhen("Failed");
        Pod pod = machine.findPod().orElseThrow();
        String log = cluster.client().pods().resource(pod).getLog();
        assertTrue(log.contains("no such device\ngiving up\n"), log);
    }

    @Test
    void aPreemptedPodGoes() {
        List<String> seen = watched(new PodFailure.Preempted());
        assertTrue(seen.contains(DISTURBED + "PreemptionByScheduler"), seen::toString);
        assertTrue(reasons().contains("Preempted"), () -> reasons().toString());
    }

    @Test
    void aPodOnALostNodeGoesWithIt() {
        List<String> seen = watched(new PodFailure.NodeLost());
        assertTrue(
                seen.containsAll(List.of(DISTURBED + "DeletionByTaintManager", DISTURBED + "DeletionByPodGC")),
                seen::toString);
        assertEquals(2, cluster.client().nodes().list().getItems().size());
        assertTrue(
                reasons().containsAll(List.of("NodeNotReady", "TaintManagerEviction")),
                () -> reasons().toString());
    }

    /** The messages about the disruption of a running pod, until it has gone. */
    private List<String> watched(PodFailure.Running failure) {
        List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
        machine.start();
        machine.ready();
        cluster.objects().follow(change -> {
            if (change.isOf(Pod.class)) {
                change.object()
                        .path("status")
                        .path("conditions")
                        .forEach(condition -> seen.add(condition.path("type").asText() + " "
                                + condition.path("reason").asText()));
            }
        });
        cluster.pods().fail(SampleMachine.NAME, failure);
        ClusterAwait.until("the pod is gone", () -> machine.findPod().isEmpty());
        return seen;
    }

    @Test
    void aPodWaitsForASecretThatItNeeds() {
        machine.apply(SampleMachine.job(spec ->
                spec.getTemplate().getSpec().getVolumes().getFirst().getSecret().setOptional(false)));
        ClusterAwait.until("an event tells of it", () -> reasons().contains("FailedMount"));
        cluster.client()
                .resource(machine.secret(machine.findJob().orElseThrow()))
                .serverSideApply();
        cluster.kubelet().advance(Duration.ofSeconds(1));
        machine.ready();
    }

    @Test
    void aContainerWaitsForAVariableThatItNeeds() {
        machine.apply(SampleMachine.job(spec -> spec.getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .add(new io.fabric8.kubernetes.api.model.EnvVarBuilder()
                        .withName("EXTRA")
                        .withNewValueFrom()
                        .withNewSecretKeyRef("token", SampleMachine.NAME, false)
                        .endValueFrom()
                        .build())));
        ClusterAwait.until(
                "the container cannot be made",
                () -> machine.findPod()
                        .filter(pod -> container(pod)
                                .equals("waiting CreateContainerConfigError: secret \"machine-1\" not found"))
                        .isPresent());
        cluster.client()
                .resource(machine.secret(machine.findJob().orElseThrow()))
                .serverSideApply();
        cluster.kubelet().advance(Duration.ofSeconds(10));
        machine.ready();
    }

    @Test
    void aSlowPullIsToldOf() {
        cluster.pods().slowPulls(Duration.ofMillis(50));
        machine.start();
        machine.ready();
        List<String> reasons = reasons();
        assertEquals(
                List.of("Scheduled", "Pulling", "Pulled", "Created", "Started"),
                reasons.stream()
                        .filter(reason -> !reason.equals("SuccessfulCreate"))
                        .toList());
    }

    @Test
    void aPodThatFitsNowhereSaysWhy() {
        cluster.removeNode("a100-1");
        cluster.removeNode("a100-2");
        machine.start();
        ClusterAwait.until(
                "it says why",
                () -> machine.findPod()
                        .filter(pod -> pod.getStatus().getConditions().stream()
                                .anyMatch(condition -> "Unschedulable".equals(condition.getReason())
                                        && condition
                                                .getMessage()
                                                .startsWith("0/1 nodes are available: 1 Insufficient")))
                        .isPresent());
        ClusterAwait.until("an event says so too", () -> reasons().contains("FailedScheduling"));
        cluster.addNode(
                dev.outpost.simulated.kubernetes.node.TestNode.named("new").gpus(1, "NVIDIA-A100-SXM4-40GB"));
        assertEquals("new", machine.ready().getSpec().getNodeName());
    }

    private List<String> reasons() {
        return cluster.client().v1().events().list().getItems().stream()
                .sorted(java.util.Comparator.comparing(
                        event -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .map(Event::getReason)
                .toList();
    }

    private static String phase(Pod pod) {
        String reason = pod.getStatus().getReason();
        return pod.getStatus().getPhase()
                + (reason == null ? "" : " " + reason + ": " + pod.getStatus().getMessage());
    }

    private static String container(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .findFirst()
                .map(PodFailuresTest::state)
                .orElse("");
    }

    private static String state(ContainerStatus status) {
        if (status.getState().getWaiting() != null) {
            String message = Optional.ofNullable(status.getState().getWaiting().getMessage())
                    .orElse("");
            return "waiting " + status.getState().getWaiting().getReason() + ": " + message.replaceAll(" pod=.*", "");
        }
        if (status.getState().getTerminated() != null) {
            var end = status.getState().getTerminated();
            return "terminated " + end.getExitCode() + " " + end.getReason() + ": "
                    + Optional.ofNullable(end.getMessage()).orElse("").replaceAll("(?s)^endpoint .*", "");
        }
        return "running";
    }
}
