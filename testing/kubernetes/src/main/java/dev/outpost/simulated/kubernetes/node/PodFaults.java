package dev.outpost.simulated.kubernetes.node;

import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes pods fail. */
public final class PodFaults {
    private final TestKubelet kubelet;
    private final Queue<PodFailure> next = new ConcurrentLinkedQueue<>();
    private volatile Duration pulling = Duration.ZERO;

    PodFaults(TestKubelet kubelet) {
        this.kubelet = kubelet;
    }

    /** Makes the next pod that is bound to a node fail; a failure of a running container occurs as soon as it runs. */
    public void failNext(PodFailure failure) {
        next.add(failure);
    }

    /**
     * Makes the running pods of a machine fail now.
     *
     * @param name the name of a pod, or of its owner
     */
    public void fail(String name, PodFailure.Running failure) {
        if (kubelet.fail(name, failure) == 0) {
            throw new IllegalArgumentException("fail: no pod of " + name + " runs here");
        }
    }

    /** Sets the time for which later images are pulled. */
    public void slowPulls(Duration by) {
        pulling = by;
    }

    Optional<PodFailure> take() {
        return Optional.ofNullable(next.poll());
    }

    Duration pulling() {
        return pulling;
    }
}
