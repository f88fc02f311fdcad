package dev.outpost.simulated.kubernetes.api;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Set;

/** The phases of pods. */
public final class PodPhases {
    private static final Set<String> LAST = Set.of("Succeeded", "Failed");

    private PodPhases() {}

    /** True if the pod has ended: none of its containers will run again. */
    public static boolean hasEnded(Pod pod) {
        return isLast(pod.getStatus().getPhase());
    }

    static boolean isLast(String phase) {
        return LAST.contains(phase);
    }
}
