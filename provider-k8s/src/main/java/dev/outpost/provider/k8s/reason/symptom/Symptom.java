package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.ProvisioningStep.Phase;

/** Something by which a cluster shows how a machine fares. */
public sealed interface Symptom
        permits QueueSymptom, AdmissionSymptom, SchedulingSymptom, ImageSymptom, StartSymptom, EndSymptom, ApiSymptom {

    /**
     * A symptom as the troubleshooting page lists it.
     *
     * @param title a few words
     * @param remedy one or two sentences on what to do; empty where there is nothing to do
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

    /** How far a start is that shows it. */
    Phase phase();

    /** The symptom as it was met here. */
    default Finding found(String what) {
        return new Finding(this, then(), what);
    }
}
