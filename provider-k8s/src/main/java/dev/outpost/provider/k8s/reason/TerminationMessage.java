package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import dev.outpost.provider.k8s.reason.text.LastLines;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import java.util.Optional;

/** The runtime's reason for its end: one line, such as {@code idle: no instruction for 10 minutes}. */
final class TerminationMessage {
    private TerminationMessage() {}

    /** Returns a finding if the runtime ended itself. */
    static Optional<Finding> decided(ObservedMachine observed) {
        return said(observed)
                .flatMap(line -> meaning(line, "idle: ", EndSymptom.IDLE, "the machine was idle: ")
                        .or(() -> meaning(line, "unused: ", EndSymptom.UNUSED, "the machine had no client: "))
                        .or(() -> failed(line, observed)));
    }

    /** Returns a finding if the runtime was asked to end. Rules that can name the asking party take precedence. */
    static Optional<Finding> drained(ObservedMachine observed) {
        return said(observed)
                .flatMap(line -> meaning(line, "drained: ", EndSymptom.DRAINED, "the runtime was told to end: "));
    }

    private static Optional<Finding> failed(String line, ObservedMachine observed) {
        return meaning(line, "failed: ", EndSymptom.RUNTIME_FAILED, "the runtime gave up: ")
                .map(failed -> DriverWords.in(failed.what(), node(observed))
                        .map(driver -> driver.followedBy(SymptomOutcome.ENDS))
                        .orElseGet(() -> EndSymptom.RUNTIME_FAILED.found(failed.what()
                                + LastLines.quoted(observed.diagnostics().logTail()))));
    }

    private static Optional<String> said(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .flatMap(PodFacts::ended)
                .map(ContainerStateTerminated::getMessage)
                .flatMap(message -> message.strip().lines().findFirst());
    }

    private static Optional<Finding> meaning(String line, String word, EndSymptom symptom, String opening) {
        return line.startsWith(word)
                ? Optional.of(symptom.found(opening + line.substring(word.length())))
                : Optional.empty();
    }

    private static String node(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).map(PodFacts::nodeName).orElse("");
    }
}
