package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Locale;
import java.util.Optional;

/** Finds the events by which the cluster removed a pod that had no fault itself. */
final class Disruptions {
    private Disruptions() {}

    /** Returns a finding if the pod's status says that the kubelet evicted the pod, or shut down with the node. */
    static Optional<Finding> byTheNode(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).flatMap(Disruptions::byTheNode);
    }

    private static Optional<Finding> byTheNode(PodFacts pod) {
        return switch (pod.reason()) {
            case "Evicted" -> Optional.of(evicted(pod.message()));
            case "Preempting" -> Optional.of(EndSymptom.PREEMPTED.found("preempted: " + pod.message()));
            case "Terminated", "NodeShutdown", "Shutdown" ->
                Optional.of(EndSymptom.NODE_SHUT_DOWN.found("the node " + pod.nodeName() + " was shut down"));
            case "NodeLost" ->
                Optional.of(EndSymptom.NODE_LOST.found("the node " + pod.nodeName() + " is gone: " + pod.message()));
            default -> Optional.empty();
        };
    }

    private static Finding evicted(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        String what = "evicted by the node: " + RefusalMessages.oneLine(message);
        if (text.contains("ephemeral") || text.contains("emptydir") || text.contains("diskpressure")) {
            return EndSymptom.EVICTED_STORAGE.found(what);
        }
        return text.contains("memory") ? EndSymptom.EVICTED_MEMORY.found(what) : EndSymptom.EVICTED.found(what);
    }

    /**
     * Returns a finding if the end of the pod was announced, and the pod has ended. An announcement alone is not enough, because a
     * preemption may be cancelled.
     */
    static Optional<Finding> announced(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(pod -> pod.isDeleted() || pod.isPhase("Failed"))
                .flatMap(pod -> pod.condition("DisruptionTarget", "True").map(target -> meaning(target, pod)));
    }

    private static Finding meaning(PodCondition target, PodFacts pod) {
        String message = PodFacts.orEmpty(target.getMessage());
        String node = "the node " + pod.nodeName();
        return switch (PodFacts.orEmpty(target.getReason())) {
            case "PreemptionByScheduler", "PreemptionByKubeScheduler" ->
                EndSymptom.PREEMPTED.found("preempted: " + message);
            case "DeletionByTaintManager" -> EndSymptom.TAINTED_AWAY.found(node + " sent the pod away: " + message);
            case "DeletionByDeviceTaintManager" ->
                EndSymptom.DEVICE_LOST.found(
                        "the GPU on " + node + " is unhealthy, and the pod was sent away: " + message);
            case "EvictionByEvictionAPI" ->
                EndSymptom.EVICTED_BY_REQUEST.found("evicted through the API, as when " + node + " is drained");
            case "TerminationByKubelet" -> terminated(message, node);
            case "DeletionByPodGC" -> EndSymptom.NODE_LOST.found(node + " is gone: " + message);
            default -> EndSymptom.EVICTED.found("disrupted: " + target.getReason() + ": " + message);
        };
    }

    private static Finding terminated(String message, String node) {
        return message.contains("shutdown")
                ? EndSymptom.NODE_SHUT_DOWN.found(node + " was shut down")
                : evicted(message);
    }

    /**
     * Returns a finding if an event reports a preemption. Clusters without the conditions of Kubernetes 1.26 report it only by an event.
     */
    static Optional<Finding> preempted(ObservedMachine observed) {
        return EventLog.ofPod(observed)
                .latest("Preempted")
                .filter(event -> observed.pod()
                        .map(PodFacts::new)
                        .filter(PodFacts::isDeleted)
                        .isPresent())
                .map(event -> EndSymptom.PREEMPTED.found("preempted: " + EventLog.message(event)));
    }
}
