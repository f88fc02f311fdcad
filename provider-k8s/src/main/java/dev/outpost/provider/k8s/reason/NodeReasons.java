package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.StartSymptom;
import dev.outpost.provider.k8s.reason.symptom.Symptom;
import dev.outpost.provider.k8s.reason.text.Wording;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Interprets the messages of a node about its pod. */
final class NodeReasons {
    private static final Pattern HANDLER = Pattern.compile("no runtime for \"([^\"]+)\" is configured");
    private static final Pattern PULL_TIME =
            Pattern.compile("pulled image \"[^\"]+\" in ((?:\\d+h)?(?:\\d+m)?[\\d.]+s)");
    private static final Pattern IMAGE_SIZE = Pattern.compile("Image size: (\\d+) bytes");

    private NodeReasons() {}

    /** Returns a finding if the kubelet refused the pod, so that its containers were never made. */
    static Optional<Finding> refused(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(pod -> pod.isPhase("Failed") && !pod.reason().isEmpty() && !pod.hasRun())
                .filter(pod -> pod.ended().filter(PodFacts::isStartError).isEmpty())
                .map(NodeReasons::refusal);
    }

    private static Finding refusal(PodFacts pod) {
        String message = pod.message().replaceFirst("^Pod was rejected: |^Pod ", "");
        if (pod.reason().equals("UnexpectedAdmissionError")) {
            return StartSymptom.DEVICE_REFUSED.found("the node " + pod.nodeName() + " could not hand out its device: "
                    + message.replaceFirst(", which is unexpected$", ""));
        }
        return StartSymptom.NODE_REFUSED.found(
                "the node " + pod.nodeName() + " refused the pod: " + pod.reason() + ": " + message);
    }

    /** Returns a finding if the node does not report any more, so that the state of its pod is unknown. */
    static Optional<Finding> silent(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(pod ->
                        pod.isScheduled() && pod.condition("Ready", "True").isEmpty())
                .filter(pod -> EventLog.ofPod(observed).latest("NodeNotReady").isPresent())
                .map(pod -> StartSymptom.NODE_SILENT.found("the node " + pod.nodeName() + " does not answer"));
    }

    /** Returns a finding if volumes or the pod's sandbox could not be made, and no newer event says that they were. */
    static Optional<Finding> preparing(ObservedMachine observed) {
        return newest(observed).flatMap(event -> meaning(event, observed));
    }

    private static Optional<Event> newest(ObservedMachine observed) {
        return EventLog.ofPod(observed)
                .latest(
                        "FailedMount",
                        "FailedAttachVolume",
                        "SuccessfulAttachVolume",
                        "FailedCreatePodSandBox",
                        "FailedPrepareDynamicResources",
                        "Pulling",
                        "Pulled",
                        "Created",
                        "Started");
    }

    private static Optional<Finding> meaning(Event event, ObservedMachine observed) {
        String message = RefusalMessages.oneLine(EventLog.message(event));
        return switch (event.getReason()) {
            case "FailedMount", "FailedAttachVolume" ->
                Optional.of(volume(message).found("a volume cannot be mounted: " + message));
            case "FailedPrepareDynamicResources" -> Optional.of(unprepared(message, observed));
            case "FailedCreatePodSandBox" -> Optional.of(sandbox(message, node(observed)));
            default -> Optional.empty();
        };
    }

    private static Finding unprepared(String message, ObservedMachine observed) {
        String conditions = observed.diagnostics()
                .claims()
                .map(claims -> String.join(", ", claims.troubles()))
                .filter(text -> !text.isEmpty())
                .map(text -> "; " + text)
                .orElse("");
        return StartSymptom.CLAIM_NOT_PREPARED.found("the node " + node(observed) + " cannot prepare its device: "
                + message.replaceFirst("^Failed to prepare dynamic resources: ", "") + conditions);
    }

    private static Symptom volume(String message) {
        return message.endsWith("not found") ? StartSymptom.VOLUME_MISSING : StartSymptom.MOUNT_FAILED;
    }

    private static Finding sandbox(String message, String node) {
        Matcher handler = HANDLER.matcher(message);
        return handler.find()
                ? StartSymptom.RUNTIME_MISSING.found(
                        "the node " + node + " has no container runtime " + handler.group(1))
                : StartSymptom.SANDBOX_FAILED.found("the node " + node + " cannot make a sandbox for the pod: "
                        + message.replaceFirst("^Failed to create pod sandbox: ", ""));
    }

    /** Returns a finding if the container is being made, and nothing is wrong. */
    static Optional<Finding> starting(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(PodFacts::isScheduled)
                .map(pod -> begun(observed).found("starting on node " + pod.nodeName() + pulled(observed)));
    }

    private static Symptom begun(ObservedMachine observed) {
        boolean hasImage =
                EventLog.ofPod(observed).latest("Pulled", "Created", "Started").isPresent();
        return hasImage ? StartSymptom.STARTING : StartSymptom.PLACED;
    }

    private static String pulled(ObservedMachine observed) {
        return EventLog.ofPod(observed)
                .latest("Pulled")
                .map(EventLog::message)
                .map(message -> message.contains("already present") ? ", which had the image" : duration(message))
                .orElse("");
    }

    private static String duration(String message) {
        Matcher time = PULL_TIME.matcher(message);
        if (!time.find()) {
            return "";
        }
        Matcher size = IMAGE_SIZE.matcher(message);
        String of = size.find() ? " of " + Wording.size(Long.parseLong(size.group(1))) : "";
        return ", its image" + of + " pulled in " + Wording.time(Duration.parse("PT" + time.group(1)));
    }

    private static String node(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).map(PodFacts::nodeName).orElse("");
    }
}
