package dev.outpost.system.k8s.faults;

import dev.outpost.MachineLossPolicy;

/**
 * One disturbance at one step, and the expected outcome.
 *
 * @param policy the policy of the machine, which matters only if the machine is lost
 * @param note a part of the program's message, or the reason why the case is impossible; else empty
 */
record FaultCase(MachineStep step, Disturbance disturbance, MachineLossPolicy policy, Outcome outcome, String note) {
    boolean isPlayed() {
        return outcome != Outcome.NOT_APPLICABLE;
    }

    /** The name of its test. */
    @Override
    public String toString() {
        return step.title() + ", " + disturbance.title() + ": " + outcome.title();
    }
}
