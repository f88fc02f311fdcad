package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import dev.outpost.simulated.kubernetes.api.PodPhases;
import dev.outpost.simulated.kubernetes.control.ControlLoop;
import dev.outpost.simulated.kubernetes.control.EventRecorder;
import dev.outpost.simulated.kubernetes.device.DeviceScheduling;
import dev.outpost.simulated.kubernetes.device.SelectorException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Binds pods to nodes, or reports why it cannot. */
public final class TestScheduler implements AutoCloseable {
    private static final String NAME = "default-scheduler";

    /** The kinds whose changes may make room for a pod. */
    private static final List<Class<? extends HasMetadata>> OCCASIONS =
            List.of(Node.class, Pod.class, ResourceClaim.class, ResourceSlice.class, DeviceClass.class);

    private final ClusterObjects objects;
    private final ClusterTime time;
    private final EventRecorder events;
    private final ControlLoop loop = new ControlLoop("test-scheduler", this::pass);

    public TestScheduler(ClusterObjects objects, ClusterTime time) {
        this.objects = objects;
        this.time = time;
        this.events = new EventRecorder(objects, time, NAME);
        objects.follow(this::changed);
        loop.start();
    }

    private void changed(Change change) {
        if (OCCASIONS.stream().anyMatch(change::isOf)) {
            loop.poke();
        }
    }

    private Optional<Duration> pass() {
        objects.list(Pod.class).stream()
                .filter(TestScheduler::isWaiting)
                .sorted(Comparator.comparing(
                        pod -> Long.parseLong(pod.getMetadata().getResourceVersion())))
                .forEach(this::schedule);
        return Optional.empty();
    }

    private static boolean isWaiting(Pod pod) {
        return pod.getSpec().getNodeName() == null
                && pod.getMetadata().getDeletionTimestamp() == null
                && !PodPhases.hasEnded(pod);
    }

    private void schedule(Pod pod) {
        DeviceScheduling devices = new DeviceScheduling(objects, pod);
        if (devices.isReady()) {
            try {
                SchedulingDecision schedulingDecision =
                        SchedulingDecision.of(pod, objects.list(Node.class), objects.list(Pod.class), devices);
                schedulingDecision
                        .node()
                        .ifPresentOrElse(
                                node -> bind(pod, node, devices),
                                () -> refuse(pod, "Unschedulable", schedulingDecision.message()));
            } catch (SelectorException failure) {
                refuse(pod, "SchedulerError", failure.getMessage());
            }
        }
    }

    /** Records the event first, because the kubelet continues as soon as the pod is bound. */
    private void bind(Pod pod, String node, DeviceScheduling devices) {
        devices.reserve(node);
        events.normal(pod, "Scheduled", "Successfully assigned " + name(pod) + " to " + node);
        edit(pod, present -> PodConditions.met(bound(present, node), "PodScheduled", time.stamp()));
    }

    private static Pod bound(Pod pod, String node) {
        return new PodBuilder(pod).editSpec().withNodeName(node).endSpec().build();
    }

    private void refuse(Pod pod, String reason, String message) {
        boolean known = PodConditions.find(pod, "PodScheduled")
                .filter(condition -> message.equals(condition.getMessage()))
                .isPresent();
        if (!known) {
            edit(pod, present -> PodConditions.unmet(present, "PodScheduled", reason, message, time.stamp()));
            events.warning(pod, "FailedScheduling", message);
        }
    }

    private void edit(Pod pod, UnaryOperator<Pod> change) {
        objects.edit(
                Pod.class, pod.getMetadata().getNamespace(), pod.getMetadata().getName(), NAME, change);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    @Override
    public void close() {
        loop.close();
    }
}
