package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.Symptom;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import java.util.List;
import java.util.stream.Stream;

/**
 * The meaning of a state of the cluster.
 *
 * @param fixture the file that holds it
 * @param what the sentence without the remedy, which the symptom defines
 */
record PodCase(String fixture, Symptom symptom, SymptomOutcome outcome, String what) {

    /** All cases. */
    static List<PodCase> all() {
        return Stream.of(
                        QueueCases.all(),
                        AdmissionCases.all(),
                        SchedulingCases.all(),
                        ImageCases.all(),
                        StartCases.all(),
                        EndCases.all())
                .flatMap(List::stream)
                .toList();
    }

    static PodCase of(String fixture, Symptom symptom, String what) {
        return new PodCase(fixture, symptom, symptom.then(), what);
    }

    PodCase followedBy(SymptomOutcome other) {
        return new PodCase(fixture, symptom, other, what);
    }

    /** The sentence for a person. */
    String sentence() {
        String closed = what + (what.endsWith(".") ? "" : ".");
        return symptom.remedy().isEmpty() ? closed : closed + " " + symptom.remedy();
    }

    @Override
    public String toString() {
        return fixture;
    }
}
