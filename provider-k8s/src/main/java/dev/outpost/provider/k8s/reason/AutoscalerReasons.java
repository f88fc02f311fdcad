package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.GroupFact;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PoolFact;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SchedulingSymptom;
import io.fabric8.kubernetes.api.model.Event;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The latest decision of the cluster autoscaler or of Karpenter about a pod: the newest of their events. */
final class AutoscalerReasons {
    /** The beginning of Karpenter's refusals. The reason in them is the scheduler's. */
    static final String KARPENTER_OPENING = "Failed to schedule pod, ";

    private static final Pattern GROWTH = Pattern.compile("\\{(?:[^{}\\s]*/)?([^{}\\s/]+) (\\d+)->(\\d+)");
    private static final String AT_RISK = ". Pod is at risk of not being scheduled.";
    private static final String REFUSAL = "the autoscaler adds no node: ";

    private AutoscalerReasons() {}

    static Optional<Finding> latest(ObservedMachine observed) {
        return EventLog.ofPod(observed)
                .latest(event -> isDecision(event) || isKarpenters(event))
                .map(AutoscalerReasons::meaning);
    }

    static boolean isKarpenters(Event event) {
        return "FailedScheduling".equals(event.getReason())
                && EventLog.message(event).startsWith(KARPENTER_OPENING);
    }

    private static boolean isDecision(Event event) {
        return switch (event.getReason() == null ? "" : event.getReason()) {
            case "TriggeredScaleUp", "NotTriggerScaleUp", "FailedScaleUp", "Nominated" -> true;
            default -> false;
        };
    }

    private static Finding meaning(Event event) {
        String message = EventLog.message(event);
        return switch (event.getReason()) {
            case "TriggeredScaleUp" -> SchedulingSymptom.NODE_COMING.found("a node is being started" + growth(message));
            case "Nominated" -> SchedulingSymptom.NODE_COMING.found("a node is being started" + nominee(message));
            case "FailedScaleUp" ->
                SchedulingSymptom.SCALE_UP_FAILED.found("the autoscaler got no node: " + message.replace(AT_RISK, ""));
            case "NotTriggerScaleUp" -> GroupFact.finding(REFUSAL, afterColon(message));
            default -> PoolFact.finding(REFUSAL, message.substring(KARPENTER_OPENING.length()));
        };
    }

    /** Returns {@code : gpu-a100 grows from 0 to 1} for {@code pod triggered scale-up: [{gpu-a100 0->1 (max: 3)}]}. */
    private static String growth(String message) {
        Matcher matcher = GROWTH.matcher(message);
        String groups = matcher.results()
                .map(group -> group.group(1) + " grows from " + group.group(2) + " to " + group.group(3))
                .collect(Collectors.joining(", "));
        return groups.isEmpty() ? "" : ": " + groups;
    }

    /** Returns {@code : nodeclaim/gpu-x7k} for {@code Pod should schedule on: nodeclaim/gpu-x7k}. */
    private static String nominee(String message) {
        String nominee = afterColon(message);
        return nominee.isEmpty() ? "" : ": " + nominee;
    }

    private static String afterColon(String message) {
        int colon = message.indexOf(": ");
        return colon < 0 ? "" : message.substring(colon + 2).strip();
    }
}
