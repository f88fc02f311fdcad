package dev.outpost.provider.k8s.reason.facts;

import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a pod. Absent parts are empty. */
public record PodFacts(Pod pod) {
    private static final String MACHINE = "machine";

    public boolean isDeleted() {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    public boolean isPhase(String phase) {
        return phase.equals(status().getPhase());
    }

    public String reason() {
        return orEmpty(status().getReason());
    }

    public String message() {
        return orEmpty(status().getMessage());
    }

    public String podIp() {
        return orEmpty(status().getPodIP());
    }

    /** Returns the pod's node; empty while it waits for one. */
    public String nodeName() {
        return pod.getSpec() == null ? "" : orEmpty(pod.getSpec().getNodeName());
    }

    public boolean isScheduled() {
        return !nodeName().isEmpty();
    }

    /** Returns the pod's condition of that type, if it has that status. */
    public Optional<PodCondition> condition(String type, String status) {
        return Optional.ofNullable(status().getConditions()).stream()
                .flatMap(List::stream)
                .filter(condition -> type.equals(condition.getType()) && status.equals(condition.getStatus()))
                .findFirst();
    }

    /** Returns the specification of the runtime's container. */
    public Optional<Container> container() {
        return Optional.ofNullable(pod.getSpec()).map(spec -> spec.getContainers()).stream()
                .flatMap(List::stream)
                .reduce((first, second) -> MACHINE.equals(second.getName()) ? second : first);
    }

    /** Returns the status of the runtime's container. */
    public Optional<ContainerStatus> machine() {
        return Optional.ofNullable(status().getContainerStatuses()).stream()
                .flatMap(List::stream)
                .reduce((first, second) -> MACHINE.equals(second.getName()) ? second : first);
    }

    /** Returns the runtime's container, if it has ended. */
    public Optional<ContainerStateTerminated> ended() {
        return machine().map(ContainerStatus::getState).map(state -> state.getTerminated());
    }

    /** Returns the previous end of a container that was restarted. */
    public Optional<ContainerStateTerminated> endedBefore() {
        return machine().map(ContainerStatus::getLastState).map(state -> state.getTerminated());
    }

    public boolean isRunning() {
        return machine()
                .map(ContainerStatus::getState)
                .map(state -> state.getRunning())
                .isPresent();
    }

    /** True if no container runs any more and none will be started again. */
    public boolean hasEnded() {
        return isPhase("Succeeded") || isPhase("Failed");
    }

    /** True if the pod claims its GPUs as devices. */
    public boolean hasClaim() {
        return pod.getSpec() != null && GpuClaim.isIn(pod.getSpec());
    }

    public boolean isReady() {
        return machine()
                .filter(status -> Boolean.TRUE.equals(status.getReady()))
                .isPresent();
    }

    /** True if the runtime's container was ready before it ended: the pod's condition changed after the container had started. */
    public boolean wasReady() {
        return condition("Ready", "False")
                .map(PodCondition::getLastTransitionTime)
                .flatMap(changed -> ended().map(ContainerStateTerminated::getStartedAt)
                        .map(started -> Instant.parse(changed).isAfter(Instant.parse(started))))
                .orElse(true);
    }

    /** Returns true if the runtime's container ever ran. */
    public boolean hasRun() {
        return isRunning()
                || endedBefore().isPresent()
                || ended().filter(PodFacts::ran).isPresent();
    }

    /** Returns true if the container could not be started. With restartPolicy Never, it counts as ended. */
    public static boolean isStartError(ContainerStateTerminated end) {
        return List.of("StartError", "ContainerCannotRun").contains(orEmpty(end.getReason()));
    }

    /**
     * Returns true if a container that has ended really ran. The kubelet invents an end for a container that it cannot find, even for a
     * pod that it never accepted.
     */
    private static boolean ran(ContainerStateTerminated end) {
        return !isStartError(end) && !"ContainerStatusUnknown".equals(end.getReason());
    }

    /** Returns the waiting containers. Containers that come before the runtime's container are first. */
    public Stream<ContainerStatus> waiting() {
        return Stream.of(status().getInitContainerStatuses(), status().getContainerStatuses())
                .flatMap(statuses -> Stream.ofNullable(statuses).flatMap(List::stream))
                .filter(status -> status.getState() != null && status.getState().getWaiting() != null);
    }

    public static boolean isMachine(ContainerStatus status) {
        return MACHINE.equals(status.getName());
    }

    public static String orEmpty(String text) {
        return text == null ? "" : text.strip();
    }

    private PodStatus status() {
        return pod.getStatus() == null ? new PodStatus() : pod.getStatus();
    }
}
