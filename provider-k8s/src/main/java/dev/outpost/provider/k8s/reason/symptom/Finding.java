package dev.outpost.provider.k8s.reason.symptom;

import dev.outpost.provider.MachineLoss;
import java.util.Objects;
import java.util.Optional;

/**
 * A symptom that was observed.
 *
 * @param outcome the outcome of this observation, which may differ from the usual outcome of the symptom
 * @param what the observation in words, without a full stop
 */
public record Finding(Symptom symptom, SymptomOutcome outcome, String what) {

    public Finding {
        Objects.requireNonNull(symptom, "symptom");
        Objects.requireNonNull(outcome, "then");
        Objects.requireNonNull(what, "what");
    }

    public Finding followedBy(SymptomOutcome other) {
        return new Finding(symptom, other, what);
    }

    /** Returns the observation, and the remedy. */
    public String sentence() {
        return sentence(what, symptom.remedy());
    }

    public static String sentence(String what, String remedy) {
        String closed = what.endsWith(".") ? what : what + ".";
        return remedy.isEmpty() ? closed : closed + " " + remedy;
    }

    public PodState state() {
        return switch (outcome) {
            case GOES_ON -> new PodState.Coming(symptom.phase(), what);
            case WAITS, FINAL_WHEN_REPEATED, RETRIED, RETRIED_ONCE, RETRIED_BRIEFLY ->
                new PodState.Stuck(symptom.phase(), sentence());
            case FINAL -> new PodState.Refused(sentence());
            case ENDS -> new PodState.Ended(MachineLoss.failed(sentence()));
            case ENDS_IDLE -> new PodState.Ended(new MachineLoss(MachineLoss.Cause.IDLE, sentence()));
        };
    }

    /** Returns the loss of the machine, if the finding explains one. */
    public Optional<MachineLoss> loss() {
        return switch (state()) {
            case PodState.Ended ended -> Optional.of(ended.loss());
            case PodState.Refused refused -> Optional.of(MachineLoss.failed(refused.sentence()));
            case PodState.Coming ignored -> Optional.empty();
            case PodState.Stuck ignored -> Optional.empty();
            case PodState.Running ignored -> Optional.empty();
        };
    }
}
