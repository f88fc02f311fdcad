package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachinePhase;

/** The state of a machine, as the cluster shows it. */
public sealed interface PodState {

    /** The machine is starting, and nothing is wrong. */
    record Coming(MachinePhase phase, String text) implements PodState {}

    /** The start is delayed by a problem that may pass. The sentence names the remedy; a timeout repeats it. */
    record Stuck(MachinePhase phase, String sentence) implements PodState {}

    /** The machine will never start. */
    record Refused(String sentence) implements PodState {}

    /**
     * Its container runs.
     *
     * @param podIp the pod's address inside the cluster; empty as long as it has none
     * @param ready true if its readiness probe has succeeded
     */
    record Running(String podIp, String nodeName, boolean ready) implements PodState {}

    /** The machine has ended. */
    record Ended(MachineLoss loss) implements PodState {}
}
