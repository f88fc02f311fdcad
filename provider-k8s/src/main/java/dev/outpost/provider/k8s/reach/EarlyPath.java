package dev.outpost.provider.k8s.reach;

import dev.outpost.channel.Trust;
import dev.outpost.provider.k8s.config.AccessMode;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;

/**
 * Connects to the runtime of a pod that runs but is not ready yet. The kubelet probes once a second, so a pod becomes ready about a
 * second after its runtime listens. Only clients that reach the pod's address can use it. Not thread-safe.
 */
public final class EarlyPath {
    /** The pause between two attempts. */
    public static final Duration PAUSE = Duration.ofMillis(100);

    private final Trust.Pin pin;
    private boolean isPromising;

    private EarlyPath(Trust.Pin pin, boolean isPromising) {
        this.pin = pin;
        this.isPromising = isPromising;
    }

    /** @param chosen the access mode of the settings */
    public static EarlyPath to(Trust.Pin pin, AccessMode chosen) {
        return new EarlyPath(pin, chosen == AccessMode.AUTO || chosen == AccessMode.POD_IP);
    }

    /** Returns a path that makes no attempt. */
    public static EarlyPath none() {
        return new EarlyPath(null, false);
    }

    /** True if another attempt may succeed. */
    public boolean isPromising() {
        return isPromising;
    }

    /** Returns true if the machine answers. Makes no further attempt if pods are not reachable. */
    public boolean leadsTo(Pod pod) {
        if (!isPromising) {
            return false;
        }
        DirectPath.Outcome outcome = MachineRoutes.attempt(pod, pin).orElse(DirectPath.Outcome.REFUSED);
        isPromising = outcome != DirectPath.Outcome.UNREACHED;
        return outcome == DirectPath.Outcome.REACHED;
    }
}
