package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ContainerLog;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** The failures of a running pod. */
final class RunningFailures {
    private final LocalPod pod;
    private final RunningContainer container;
    private final ContainerLog log;
    private final SignalQueue signalQueue;

    RunningFailures(LocalPod pod, RunningContainer container, ContainerLog log, SignalQueue signalQueue) {
        this.pod = pod;
        this.container = container;
        this.log = log;
        this.signalQueue = signalQueue;
    }

    /** Causes a failure. Returns the end of the container by it; empty if it has not ended yet. */
    Optional<Exit> happen(PodFailure.Running failure) throws SignalQueue.Deleted, InterruptedException {
        return switch (failure) {
            case PodFailure.Crash(int code, List<String> lines) -> Optional.of(crash(code, lines));
            case PodFailure.CrashLoop(int code, List<String> lines) -> crashLoop(code, lines);
            case PodFailure.Killed() -> kill();
            case PodFailure.OutOfMemory() -> outOfMemory();
            case PodFailure.Evicted(String why) -> evict(why);
            case PodFailure.Preempted() -> preempt();
            case PodFailure.NodeLost() -> loseNode();
            case PodFailure.Deleted() -> delete();
        };
    }

    private Exit crash(int code, List<String> lines) {
        container.kill();
        container.exit().join();
        lines.forEach(log::add);
        boolean fallBack =
                "FallbackToLogsOnError".equals(PodStatuses.container(pod.pod()).getTerminationMessagePolicy());
        return Exit.of(code, fallBack ? String.join("\n", lines) : "");
    }

    private Optional<Exit> crashLoop(int code, List<String> lines) throws SignalQueue.Deleted, InterruptedException {
        Exit exit = crash(code, lines);
        pod.edit(present -> PodStatuses.crashLooping(present, exit, pod.now()));
        pod.warn(
                "BackOff",
                "Back-off restarting failed container " + pod.container() + " in pod " + pod.name() + "_"
                        + pod.pod().getMetadata().getNamespace() + "("
                        + pod.pod().getMetadata().getUid() + ")");
        signalQueue.awaitEnd();
        return Optional.empty();
    }

    private Optional<Exit> kill() {
        container.kill();
        return Optional.empty();
    }

    private Optional<Exit> outOfMemory() {
        container.kill();
        return Optional.of(Exit.outOfMemory());
    }

    private Optional<Exit> evict(String why) {
        pod.warn("Evicted", why);
        container.kill();
        pod.edit(present -> PodStatuses.failed(disrupted(present, "TerminationByKubelet", why), "Evicted", why));
        return Optional.of(Exit.killed());
    }

    private Optional<Exit> preempt() {
        String why = "default-scheduler: preempting to accommodate a higher priority pod";
        pod.edit(present -> disrupted(present, "PreemptionByScheduler", why));
        pod.report("Preempted", "Preempted by pod 0b2c9f6e-5d1a-4c39-9a55-3f6f0f1f7a11 on node " + nodeName());
        return delete();
    }

    private Optional<Exit> delete() {
        pod.objects().delete(pod.pod());
        return Optional.empty();
    }

    /** Removes the node from the network, and then the node and its pods from the cluster. */
    private Optional<Exit> loseNode() {
        container.kill();
        pod.warn("NodeNotReady", "Node is not ready");
        pod.edit(present -> PodConditions.unmet(present, "Ready", "NodeNotReady", null, pod.now()));
        pod.report(
                "TaintManagerEviction",
                "Marking for deletion Pod " + pod.pod().getMetadata().getNamespace() + "/" + pod.name());
        pod.edit(present ->
                disrupted(present, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"));
        pod.objects().delete(pod.pod());
        pod.objects().find(Node.class, null, nodeName()).ifPresent(pod.objects()::remove);
        pod.edit(present -> PodStatuses.gone(disrupted(present, "DeletionByPodGC", "PodGC: node no longer exists")));
        pod.objects().remove(pod.pod());
        return Optional.empty();
    }

    private Pod disrupted(Pod present, String reason, String message) {
        return PodConditions.with(present, "DisruptionTarget", true, reason, message, pod.now());
    }

    private String nodeName() {
        return pod.pod().getSpec().getNodeName();
    }
}
