package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.ProvisioningStep.Phase;

/** Where a machine stands, as the cluster shows it. */
public sealed interface PodState {

    /** On its way, and nothing is wrong. */
    record Coming(Phase phase, String text) implements PodState {}

    /** Held up by something that may yet pass. The sentence names the remedy; a timeout repeats it. */
    record Stuck(Phase phase, String sentence) implements PodState {}

    /** It will not start, however long one waits. */
    record Refused(String sentence) implements PodState {}

    /**
     * Its container runs.
     *
     * @param podIp the pod's address inside the cluster; empty as long as it has none
     * @param ready whether its readiness probe has succeeded
     */
    record Running(String podIp, String nodeName, boolean ready) implements PodState {}

    /** It is over. */
    record Ended(MachineLoss loss) implements PodState {}
}
