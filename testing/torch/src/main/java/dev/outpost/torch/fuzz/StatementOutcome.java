package dev.outpost.torch.fuzz;

import java.util.Map;
import java.util.Optional;

/** The outcome of a statement. */
sealed interface StatementOutcome {

    /** It was computed. Empty is a gradient that is not there. */
    record Computed(Map<String, Optional<Seen>> seen) implements StatementOutcome {}

    /** The statement was found wrong. */
    record Refused(String reason) implements StatementOutcome {}

    /** Neither: a defect, a crash, no answer in time. */
    record Broken(String reason) implements StatementOutcome {}
}
