package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.EventLog;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.symptom.AdmissionSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import java.util.Optional;

/** Finds out why the Job controller could not create the pod. */
final class AdmissionReasons {
    private static final String OPENING = "Error creating: ";

    private AdmissionReasons() {}

    static Optional<Finding> notCreated(ObservedMachine observed) {
        return EventLog.ofJob(observed)
                .latest("FailedCreate")
                .map(EventLog::message)
                .map(AdmissionReasons::meaning);
    }

    private static Finding meaning(String message) {
        String refusal = message.startsWith(OPENING) ? message.substring(OPENING.length()) : message;
        return RefusalMessages.of(refusal)
                .orElseGet(() -> AdmissionSymptom.REFUSED.found(
                        "the pod cannot be created: " + RefusalMessages.oneLine(refusal)));
    }
}
