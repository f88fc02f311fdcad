package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.NodeFact;
import dev.outpost.provider.k8s.reason.facts.NodeObstacle;
import dev.outpost.provider.k8s.reason.facts.NodeRequirements;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.QueueSymptom;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import dev.outpost.provider.k8s.reason.text.SchedulerMessage;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds out why a pod has no node. */
final class SchedulingReasons {
    private SchedulingReasons() {}

    /** Returns a finding if a scheduling gate, for example of Kueue, keeps the scheduler from looking at the pod. */
    static Optional<Finding> gated(ObservedMachine observed) {
        return waiting(observed)
                .map(pod -> pod.pod().getSpec().getSchedulingGates())
                .filter(gates -> gates != null && !gates.isEmpty())
                .map(gates -> QueueSymptom.GATED.found("the pod is held back by the scheduling gates "
                        + gates.stream().map(PodSchedulingGate::getName).collect(Collectors.joining(", "))));
    }

    /** Returns the latest decision of the autoscaler. As long as it starts no node, the finding also has the scheduler's message. */
    static Optional<Finding> autoscaler(ObservedMachine observed) {
        return waiting(observed)
                .flatMap(pod -> AutoscalerReasons.latest(observed))
                .map(finding ->
                        finding.outcome() == SymptomOutcome.GOES_ON ? finding : withScheduler(finding, observed));
    }

    private static Finding withScheduler(Finding finding, ObservedMachine observed) {
        return scheduler(observed)
                .map(also -> new Finding(finding.symptom(), finding.outcome(), finding.what() + "; " + also.what()))
                .orElse(finding);
    }

    static Optional<Finding> scheduler(ObservedMachine observed) {
        return waiting(observed)
                .flatMap(pod -> message(observed, pod)
                        .map(message -> ClaimReasons.noClass(message)
                                .orElseGet(() -> ClaimReasons.explained(
                                        meaning(
                                                message,
                                                pod,
                                                observed.diagnostics().lacking()),
                                        observed))));
    }

    /** Returns a finding if the claim was not created. An event is then the only explanation. */
    static Optional<Finding> claimNotCreated(ObservedMachine observed) {
        return waiting(observed)
                .flatMap(pod -> EventLog.ofPod(observed).latest("FailedResourceClaimCreation"))
                .map(event -> ClaimReasons.notCreated(EventLog.message(event)));
    }

    static Optional<Finding> notLookedAt(ObservedMachine observed) {
        return waiting(observed).map(pod -> SchedulingSymptom.WAITING.found("waiting for a node"));
    }

    private static Optional<PodFacts> waiting(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).filter(pod -> !pod.isScheduled());
    }

    /** Returns the scheduler's message. The pod's condition has the same text as the event, and can be read even if events may not. */
    private static Optional<String> message(ObservedMachine observed, PodFacts pod) {
        return pod.condition("PodScheduled", "False")
                .map(PodCondition::getMessage)
                .filter(message -> !message.isBlank())
                .or(() -> EventLog.ofPod(observed)
                        .latest(event ->
                                "FailedScheduling".equals(event.getReason()) && !AutoscalerReasons.isKarpenters(event))
                        .map(EventLog::message));
    }

    private static Finding meaning(String message, PodFacts pod, int lacking) {
        return SchedulerMessage.parse(message)
                .map(parsed -> meaning(parsed, NodeRequirements.of(pod), lacking, message))
                .orElseGet(() -> unknown(message));
    }

    private static Finding meaning(
            SchedulerMessage parsed, NodeRequirements requirements, int lacking, String message) {
        if (parsed.total() == 0) {
            return SchedulingSymptom.NO_NODES.found("the cluster has no nodes");
        }
        List<NodeFact> facts = parsed.counts().stream()
                .flatMap(count -> NodeFact.of(count, requirements, lacking).stream())
                .toList();
        return facts.stream()
                .map(NodeFact::obstacle)
                .min(Comparator.naturalOrder())
                .map(worst -> worst.symptom()
                        .found(worst.headline() + ": " + text(worst, facts, requirements, parsed.total())))
                .orElseGet(() -> unknown(message));
    }

    private static String text(NodeObstacle worst, List<NodeFact> facts, NodeRequirements requirements, int total) {
        if (worst.isOfOtherNodes() && facts.getFirst().nodes() == total && total > 1) {
            return "none of " + total + " nodes " + NodeFact.fitting(requirements);
        }
        List<NodeFact> told = facts.stream()
                .filter(fact -> !worst.isOfFittingNodes()
                        || fact.obstacle() == worst
                        || fact.obstacle() == NodeObstacle.NO_DEVICE_PLUGIN)
                .sorted(Comparator.comparing(NodeFact::obstacle))
                .toList();
        return told.getFirst().text(total)
                + told.stream().skip(1).map(fact -> ", " + fact.text()).collect(Collectors.joining());
    }

    private static Finding unknown(String message) {
        return SchedulingSymptom.UNSCHEDULABLE.found("unschedulable: " + message);
    }
}
