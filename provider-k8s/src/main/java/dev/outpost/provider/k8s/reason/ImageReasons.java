package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.ImageSymptom;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import dev.outpost.provider.k8s.reason.text.Wording;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds out the state of the pull of the image, and why it fails. */
final class ImageReasons {
    private static final String FAILED_PULL = "Failed to pull image";
    private static final Pattern IMAGE = Pattern.compile("image \"([^\"]+)\"");
    private static final int REPEATED = 2;

    private ImageReasons() {}

    /** Returns a finding if the container's state says that it has no image. */
    static Optional<Finding> failed(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).stream()
                .flatMap(PodFacts::waiting)
                .flatMap(status -> meaning(status.getState().getWaiting(), observed).stream())
                .findFirst();
    }

    private static Optional<Finding> meaning(ContainerStateWaiting waiting, ObservedMachine observed) {
        String message = PodFacts.orEmpty(waiting.getMessage());
        return switch (PodFacts.orEmpty(waiting.getReason())) {
            case "InvalidImageName" ->
                Optional.of(ImageSymptom.NAME_INVALID.found("not an image name: " + image(observed) + ": "
                        + message.replaceFirst(".*couldn't parse image name \"[^\"]*\": ", "")));
            case "ErrImageNeverPull" ->
                Optional.of(ImageSymptom.NEVER_PULLED.found(
                        "the image " + image(observed) + " is not on the node and must not be pulled"));
            case "ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError" ->
                Optional.of(pull(observed, detail(message, observed)));
            default -> Optional.empty();
        };
    }

    /** Returns the cause of the failure. Before 1.31, the message of a back-off has no cause, so the event of the last failure is used. */
    private static String detail(String message, ObservedMachine observed) {
        boolean bare = message.isEmpty() || message.matches("Back-off pulling image \"[^\"]*\"");
        return bare
                ? EventLog.ofPod(observed)
                        .latest(failedPull())
                        .map(EventLog::message)
                        .orElse(message)
                : message;
    }

    private static Finding pull(ObservedMachine observed, String detail) {
        ImageSymptom symptom = ImageAnswer.meaning(detail);
        return symptom.found(what(symptom, image(observed), detail)).followedBy(then(symptom, observed));
    }

    private static SymptomOutcome then(ImageSymptom symptom, ObservedMachine observed) {
        if (symptom.then() != SymptomOutcome.FINAL_WHEN_REPEATED) {
            return symptom.then();
        }
        return EventLog.ofPod(observed).count(failedPull()) >= REPEATED ? SymptomOutcome.FINAL : SymptomOutcome.WAITS;
    }

    private static Predicate<Event> failedPull() {
        return event ->
                "Failed".equals(event.getReason()) && EventLog.message(event).startsWith(FAILED_PULL);
    }

    private static String what(ImageSymptom symptom, String image, String detail) {
        return switch (symptom) {
            case NOT_FOUND -> "image not found: " + image;
            case UNAUTHORIZED -> "not authorized to pull the image " + image;
            case UNREACHABLE -> "the node does not reach the registry of " + image + ": " + ImageAnswer.network(detail);
            case NOT_TRUSTED -> "the node does not trust the registry of " + image + ": " + ImageAnswer.network(detail);
            case RATE_LIMITED -> "the registry of " + image + " limits how often images are pulled";
            case WRONG_PLATFORM -> "the image " + image + " was not built for the node's platform";
            case DISK_FULL -> "the node has no space left for the image " + image;
            default -> "the image " + image + " cannot be pulled: " + RefusalMessages.oneLine(detail);
        };
    }

    /** Returns a finding if the newest event of the kubelet says that it pulls the image. */
    static Optional<Finding> pulling(ObservedMachine observed) {
        return newest(observed)
                .filter(event -> "Pulling".equals(event.getReason()))
                .map(event -> ImageSymptom.PULLING.found("pulling the image " + image(event, observed)
                        + elapsed(Duration.between(EventLog.time(event), observed.now()))));
    }

    private static Optional<Event> newest(ObservedMachine observed) {
        return EventLog.ofPod(observed).latest("Pulling", "Pulled", "Failed", "Created", "Started");
    }

    /** Returns the time of the pull as text. Clocks may differ, so it is omitted if the pull seems to begin in the future. */
    private static String elapsed(Duration since) {
        return since.isPositive() ? " for " + Wording.time(since) : "";
    }

    private static String image(Event event, ObservedMachine observed) {
        Matcher matcher = IMAGE.matcher(EventLog.message(event));
        return matcher.find() ? matcher.group(1) : image(observed);
    }

    private static String image(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .flatMap(PodFacts::container)
                .map(container -> container.getImage())
                .orElse("of the machine");
    }
}
