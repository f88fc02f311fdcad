package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachinePhase;

/** A sign in the cluster that shows the state of a machine. */
public sealed interface Symptom
        permits QueueSymptom, AdmissionSymptom, SchedulingSymptom, ImageSymptom, StartSymptom, EndSymptom, ApiSymptom {

    /**
     * A symptom as the troubleshooting page lists it.
     *
     * @param title a few words
     * @param remedy the remedy, in one or two sentences; empty if there is nothing to do
     */
    record Description(String title, SymptomOutcome outcome, String remedy) {}

    Description description();

    default String title() {
        return description().title();
    }

    default String remedy() {
        return description().remedy();
    }

    default SymptomOutcome then() {
        return description().outcome();
    }

    /** Returns the phase of a start that shows this symptom. */
    MachinePhase phase();

    /** Makes the finding of this symptom. */
    default Finding found(String what) {
        return new Finding(this, then(), what);
    }
}
