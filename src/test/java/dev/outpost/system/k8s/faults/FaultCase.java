package dev.outpost.system.k8s.faults;

import dev.outpost.MachineLossPolicy;

/**
 * One thing that happens at one step, and what is expected of it.
 *
 * @param policy of the machine; it makes a difference only where one is lost
 * @param note a part of what the program is told, or why it cannot happen; else empty
 */
record FaultCase(MachineStep step, Disturbance disturbance, MachineLossPolicy policy, Outcome outcome, String note) {
    boolean isPlayed() {
        return outcome != Outcome.NOT_APPLICABLE;
    }

    /** As a test is called. */
    @Override
    public String toString() {
        return step.title() + ", " + disturbance.title() + ": " + outcome.title();
    }
}
