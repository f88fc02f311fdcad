package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.ProvisioningStep.Phase;

/** Something by which a cluster shows how a machine fares. */
public sealed interface Symptom
        permits QueueSymptom, AdmissionSymptom, SchedulingSymptom, ImageSymptom, StartSymptom, EndSymptom, ApiSymptom {

    /** A few words, by which the troubleshooting page lists it. */
    String title();

    /** One or two sentences on what to do; empty where there is nothing to do. */
    String remedy();

    SymptomOutcome then();

    /** How far a start is that shows it. */
    Phase phase();

    /** The symptom as it was met here. */
    default Finding found(String what) {
        return new Finding(this, then(), what);
    }
}
