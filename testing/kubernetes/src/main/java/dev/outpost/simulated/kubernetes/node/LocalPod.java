package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import dev.outpost.simulated.kubernetes.control.EventRecorder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.function.UnaryOperator;

/** A pod on a node, in its state at its arrival, and the kubelet's reports about it. */
final class LocalPod {
    private static final String NAME = "kubelet";

    private final Pod pod;
    private final ClusterObjects objects;
    private final ClusterTime time;
    private final EventRecorder events;

    LocalPod(Pod pod, ClusterObjects objects, ClusterTime time) {
        this.pod = pod;
        this.objects = objects;
        this.time = time;
        this.events = new EventRecorder(objects, time, NAME);
    }

    Pod pod() {
        return pod;
    }

    String name() {
        return pod.getMetadata().getName();
    }

    String container() {
        return PodStatuses.container(pod).getName();
    }

    String image() {
        return PodStatuses.container(pod).getImage();
    }

    ClusterObjects objects() {
        return objects;
    }

    String now() {
        return time.stamp();
    }

    /** Changes its object, unless another pod of the same name has replaced it. */
    void edit(UnaryOperator<Pod> change) {
        String uid = pod.getMetadata().getUid();
        objects.edit(
                Pod.class,
                pod.getMetadata().getNamespace(),
                name(),
                NAME,
                present -> present.getMetadata().getUid().equals(uid) ? change.apply(present) : present);
    }

    void waiting(String reason, String message) {
        edit(present -> PodStatuses.waiting(present, reason, message, now()));
    }

    void report(String reason, String message) {
        events.normal(pod, reason, message);
    }

    void warn(String reason, String message) {
        events.warning(pod, reason, message);
    }
}
