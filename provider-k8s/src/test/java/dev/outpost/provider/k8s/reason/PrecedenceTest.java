package dev.outpost.provider.k8s.reason;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.reason.facts.NodeObstacle;
import dev.outpost.provider.k8s.reason.facts.NodeRequirements;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.AdmissionSymptom;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.ImageSymptom;
import dev.outpost.provider.k8s.reason.symptom.QueueSymptom;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import dev.outpost.provider.k8s.reason.symptom.StartSymptom;
import dev.outpost.provider.k8s.reason.symptom.Symptom;
import dev.outpost.provider.k8s.reason.text.NodeCounts;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGateBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Facts are added in the order of their weight: each becomes the reason, although all earlier ones still hold. */
@Tag("quick")
class PrecedenceTest {
    private final List<Event> events = new ArrayList<>();
    private Job job = new JobBuilder()
            .withNewMetadata()
            .withName("machine")
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .build();
    private Pod pod;

    private void assertReason(Symptom symptom) {
        assertEquals(
                symptom,
                PodReasons.finding(ObservedMachine.of(job, pod, Fixture.NOW).with(Fixture.events(events)))
                        .map(Finding::symptom)
                        .orElse(null));
    }

    private void event(HasMetadata about, String reason, String message) {
        events.add(new EventBuilder()
                .withNewInvolvedObject()
                .withKind(about.getKind())
                .withName(about.getMetadata().getName())
                .endInvolvedObject()
                .withReason(reason)
                .withMessage(message)
                .withLastTimestamp(
                        Fixture.NOW.minusSeconds(60).plusSeconds(events.size()).toString())
                .build());
    }

    private void edit(UnaryOperator<PodBuilder> change) {
        pod = change.apply(new PodBuilder(pod)).build();
    }

    private void container(ContainerState state) {
        edit(builder -> builder.editStatus()
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("machine")
                        .withState(state)
                        .build())
                .endStatus());
    }

    private void waiting(String reason, String message) {
        container(new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .build());
    }

    private void terminated(int code, String reason, String message) {
        container(new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(code)
                .withReason(reason)
                .withMessage(message)
                .endTerminated()
                .build());
    }

    private void condition(String type, String status, String reason, String message) {
        edit(builder -> builder.editStatus()
                .addNewCondition()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .endCondition()
                .endStatus());
    }

    private void makePod() {
        pod = new PodBuilder()
                .withNewMetadata()
                .withName("machine-1")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("machine")
                .withImage("runtime:1")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .endStatus()
                .build();
    }

    @Test
    void laterPhasesOutrankEarlierOnes() {
        assertReason(QueueSymptom.ASKED);
        event(job, "FailedCreate", "Error creating: no PriorityClass with name low was found");
        assertReason(AdmissionSymptom.PRIORITY_CLASS_MISSING);
        makePod();
        assertReason(SchedulingSymptom.WAITING);
        condition("PodScheduled", "False", "Unschedulable", "0/1 nodes are available: 1 node(s) were unschedulable.");
        assertReason(SchedulingSymptom.NOT_READY);
        event(pod, "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached");
        assertReason(SchedulingSymptom.AT_MAXIMUM);
        event(pod, "TriggeredScaleUp", "pod triggered scale-up: [{gpu 0->1 (max: 1)}]");
        assertReason(SchedulingSymptom.NODE_COMING);
        edit(builder -> builder.editSpec()
                .withSchedulingGates(
                        new PodSchedulingGateBuilder().withName("gate").build())
                .endSpec());
        assertReason(QueueSymptom.GATED);
        edit(builder -> builder.editSpec().withNodeName("node").endSpec());
        assertReason(StartSymptom.PLACED);
        event(pod, "FailedMount", "MountVolume.SetUp failed for volume \"models\" : timeout");
        assertReason(StartSymptom.MOUNT_FAILED);
        event(pod, "Pulling", "Pulling image \"runtime:1\"");
        assertReason(ImageSymptom.PULLING);
        waiting("ErrImagePull", "dial tcp: i/o timeout");
        assertReason(ImageSymptom.UNREACHABLE);
        waiting("CreateContainerError", "context deadline exceeded");
        assertReason(StartSymptom.CREATE_FAILED);
        container(new ContainerStateBuilder().withNewRunning().endRunning().build());
        assertReason(null);
    }

    @Test
    void causeOutranksItsConsequences() {
        makePod();
        edit(builder -> builder.editSpec().withNodeName("node").endSpec());
        container(new ContainerStateBuilder().withNewRunning().endRunning().build());
        assertReason(null);
        event(pod, "NodeNotReady", "Node is not ready");
        assertReason(StartSymptom.NODE_SILENT);
        terminated(143, "Error", null);
        assertReason(EndSymptom.EXITED);
        terminated(143, "Error", "drained: told to stop");
        assertReason(EndSymptom.DRAINED);
        edit(builder -> builder.editMetadata()
                .withDeletionTimestamp("2026-03-01T12:00:30Z")
                .endMetadata());
        assertReason(EndSymptom.DELETED);
        event(pod, "Killing", "Container machine failed liveness probe, will be restarted");
        assertReason(EndSymptom.PROBE_FAILED);
        terminated(137, "OOMKilled", null);
        assertReason(EndSymptom.OUT_OF_MEMORY);
        event(pod, "Preempted", "Preempted by pod 1c9e on node node");
        assertReason(EndSymptom.PREEMPTED);
        condition("DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting");
        assertReason(EndSymptom.EVICTED_BY_REQUEST);
        edit(builder -> builder.editStatus().withReason("Terminated").endStatus());
        assertReason(EndSymptom.NODE_SHUT_DOWN);
        terminated(0, "Completed", "idle: no instruction for 10 minutes");
        assertReason(EndSymptom.IDLE);
        job = new JobBuilder(job)
                .withNewStatus()
                .addNewCondition()
                .withType("Failed")
                .withStatus("True")
                .withReason("DeadlineExceeded")
                .endCondition()
                .endStatus()
                .build();
        assertReason(EndSymptom.DEADLINE);
    }

    /** The first reason that any node has determines the sentence, in whatever order the scheduler lists them. */
    @Test
    void mostSpecificNodeShortageIsNamed() {
        List<String> reasons = new ArrayList<>();
        for (String reason : List.of(
                "node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }",
                "node(s) didn't match Pod's node affinity/selector",
                "node(s) were unschedulable",
                "node(s) had untolerated taint {dedicated: research}",
                "node(s) had volume node affinity conflict",
                "Insufficient memory",
                "Insufficient nvidia.com/gpu")) {
            reasons.add("1 " + reason);
            assertEquals(reasons.size(), obstacles(reasons).size());
        }
        assertEquals(
                List.of(
                        NodeObstacle.CONTROL_PLANE,
                        NodeObstacle.NOT_OF_TYPE,
                        NodeObstacle.NOT_READY,
                        NodeObstacle.TAINTED,
                        NodeObstacle.OTHER,
                        NodeObstacle.NO_ROOM,
                        NodeObstacle.GPUS_TAKEN),
                obstacles(reasons));
        assertEquals(
                obstacles(reasons).reversed(),
                obstacles(reasons).stream().sorted().toList());
    }

    private static List<NodeObstacle> obstacles(List<String> reasons) {
        NodeRequirements requirements = new NodeRequirements("A100", "nvidia.com/gpu", false);
        return NodeCounts.parse(String.join(", ", reasons)).stream()
                .map(count -> NodeObstacle.of(count.reason(), requirements))
                .toList();
    }
}
