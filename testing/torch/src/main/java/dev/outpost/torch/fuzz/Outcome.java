package dev.outpost.torch.fuzz;

import java.util.Map;
import java.util.Optional;

/** The outcome of a statement. */
sealed interface Outcome {

    /** It was computed. Empty is a gradient that is not there. */
    record Computed(Map<String, Optional<Seen>> seen) implements Outcome {}

    /** The statement was found wrong. */
    record Refused(String reason) implements Outcome {}

    /** Neither: a defect, a crash, no answer in time. */
    record Broken(String reason) implements Outcome {}
}
