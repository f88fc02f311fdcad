package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.StartSymptom;
import dev.outpost.provider.k8s.reason.text.LastLines;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out why a container does not run although its pod has a node and its image was pulled. */
final class StartReasons {
    private static final Pattern EXECUTABLE = Pattern.compile(
            "exec: \"([^\"]+)\": (?:executable file not found in \\$PATH|stat [^:]+: no such file or directory)");

    private StartReasons() {}

    /** Returns a finding if the container's state says why it waits. */
    static Optional<Finding> waiting(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).stream()
                .flatMap(pod -> pod.waiting()
                        .flatMap(status ->
                                meaning(status, pod, observed.diagnostics().logTail()).stream()))
                .findFirst();
    }

    private static Optional<Finding> meaning(ContainerStatus status, PodFacts pod, String log) {
        ContainerStateWaiting waiting = status.getState().getWaiting();
        String message = RefusalMessages.oneLine(PodFacts.orEmpty(waiting.getMessage()));
        return switch (PodFacts.orEmpty(waiting.getReason())) {
            case "CreateContainerConfigError" -> Optional.of(configuration(message));
            case "CreateContainerError" ->
                Optional.of(StartSymptom.CREATE_FAILED.found("the container cannot be created: " + message));
            case "RunContainerError" -> Optional.of(notStarted(message, pod));
            case "CrashLoopBackOff" ->
                Optional.of(crashing(status, pod.nodeName(), PodFacts.isMachine(status) ? log : ""));
            case "", "ContainerCreating", "PodInitializing" -> Optional.empty();
            default ->
                Optional.of(StartSymptom.CREATE_FAILED.found(
                        "the container waits: " + waiting.getReason() + ": " + message));
        };
    }

    private static Finding configuration(String message) {
        if (message.endsWith("not found") || message.startsWith("couldn't find key")) {
            return StartSymptom.CONFIG_MISSING.found("the container needs a missing object: " + message);
        }
        return message.contains("runAsNonRoot")
                ? StartSymptom.ROOT_FORBIDDEN.found(
                        "the image runs as root, which the pod forbids: " + message.replaceFirst(" \\(pod: .*\\)$", ""))
                : StartSymptom.CONFIG_REFUSED.found("the container's configuration is refused: " + message);
    }

    /**
     * Returns a finding if the container could not be started. With restartPolicy Never, such a container ends immediately, with the reason
     * StartError.
     */
    static Optional<Finding> startError(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .flatMap(pod -> pod.ended()
                        .filter(PodFacts::isStartError)
                        .map(end -> notStarted(PodFacts.orEmpty(end.getMessage()), pod)));
    }

    private static Finding notStarted(String message, PodFacts pod) {
        return DriverWords.in(message, pod.nodeName())
                .or(() -> executableMissing(message))
                .orElseGet(() -> StartSymptom.NOT_STARTED.found(
                        "the container cannot be started: " + RefusalMessages.oneLine(message)));
    }

    private static Optional<Finding> executableMissing(String message) {
        Matcher matcher = EXECUTABLE.matcher(message);
        return matcher.find()
                ? Optional.of(StartSymptom.EXECUTABLE_MISSING.found("the image has no program " + matcher.group(1)))
                : Optional.empty();
    }

    private static Finding crashing(ContainerStatus status, String node, String log) {
        Optional<ContainerStateTerminated> end =
                Optional.ofNullable(status.getLastState()).map(state -> state.getTerminated());
        String words = log.isBlank()
                ? end.map(last -> PodFacts.orEmpty(last.getMessage())).orElse("")
                : log;
        String who = PodFacts.isMachine(status) ? "the runtime" : "the container " + status.getName();
        String code =
                end.map(last -> ", last with exit code " + last.getExitCode()).orElse("");
        return DriverWords.in(words, node)
                .orElseGet(() -> StartSymptom.CRASHING.found(
                        who + " ends as soon as it starts" + code + LastLines.quoted(words)));
    }
}
