package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;

/** The statuses of a pod in each phase of its life. The containers of a pod are all in one state. */
final class PodStatuses {
    private PodStatuses() {}

    static Container container(Pod pod) {
        return pod.getSpec().getContainers().getFirst();
    }

    // ---- starting

    static Pod waiting(Pod pod, String reason, String message, String now) {
        ContainerState state = new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .build();
        String names = "containers with unready status: [" + container(pod).getName() + "]";
        Pod waiting = withState(pod, "Pending", state, false);
        return PodConditions.unmet(
                PodConditions.unmet(
                        PodConditions.met(waiting, "Initialized", now), "Ready", "ContainersNotReady", names, now),
                "ContainersReady",
                "ContainersNotReady",
                names,
                now);
    }

    // ---- running

    static Pod running(Pod pod, String address, String hostAddress, String now) {
        ContainerState state = new ContainerStateBuilder()
                .withNewRunning()
                .withStartedAt(now)
                .endRunning()
                .build();
        return new PodBuilder(withState(pod, "Running", state, false))
                .editStatus()
                .withPodIP(address)
                .addNewPodIP(address)
                .withHostIP(hostAddress)
                .endStatus()
                .build();
    }

    static Pod ready(Pod pod, String now) {
        ContainerState state = pod.getStatus().getContainerStatuses().getFirst().getState();
        Pod ready = withState(pod, "Running", state, true);
        return PodConditions.met(PodConditions.met(ready, "ContainersReady", now), "Ready", now);
    }

    // ---- ended

    static Pod ended(Pod pod, Exit exit, String now) {
        Pod ended = withState(pod, exit.code() == 0 ? "Succeeded" : "Failed", terminated(exit, now), false);
        String reason = exit.code() == 0 ? "PodCompleted" : "PodFailed";
        return PodConditions.unmet(
                PodConditions.unmet(ended, "Ready", reason, null, now), "ContainersReady", reason, null, now);
    }

    /** Returns the status of a pod that the cluster has given up, with an unknown state of its container. */
    static Pod gone(Pod pod) {
        return new PodBuilder(pod).editStatus().withPhase("Failed").endStatus().build();
    }

    /** Returns the status of a pod that failed for a reason of the pod, not of the container. */
    static Pod failed(Pod pod, String reason, String message) {
        return new PodBuilder(pod)
                .editStatus()
                .withPhase("Failed")
                .withReason(reason)
                .withMessage(message)
                .endStatus()
                .build();
    }

    static Pod crashLooping(Pod pod, Exit exit, String now) {
        String name = container(pod).getName();
        String message = "back-off 10s restarting failed container=" + name + " pod="
                + pod.getMetadata().getName() + "_" + pod.getMetadata().getNamespace() + "("
                + pod.getMetadata().getUid() + ")";
        Pod waiting = waiting(pod, "CrashLoopBackOff", message, now);
        ContainerStatus status = new ContainerStatusBuilder(
                        waiting.getStatus().getContainerStatuses().getFirst())
                .withRestartCount(1)
                .withLastState(terminated(exit, now))
                .build();
        return new PodBuilder(waiting)
                .editStatus()
                .withPhase("Running")
                .withContainerStatuses(status)
                .endStatus()
                .build();
    }

    private static ContainerState terminated(Exit exit, String now) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exit.code())
                .withReason(exit.reason())
                .withMessage(exit.message().isEmpty() ? null : exit.message())
                .withFinishedAt(now)
                .endTerminated()
                .build();
    }

    private static Pod withState(Pod pod, String phase, ContainerState state, boolean ready) {
        List<ContainerStatus> statuses = pod.getSpec().getContainers().stream()
                .map(container -> status(container, state, ready))
                .toList();
        return new PodBuilder(pod)
                .editStatus()
                .withPhase(phase)
                .withContainerStatuses(statuses)
                .endStatus()
                .build();
    }

    private static ContainerStatus status(Container container, ContainerState state, boolean ready) {
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID("")
                .withState(state)
                .withReady(ready)
                .withStarted(state.getRunning() != null)
                .withRestartCount(0)
                .build();
    }
}
