package dev.outpost.torch.fuzz;

import java.util.Map;
import java.util.Optional;

/** The outcome of a statement. */
sealed interface StatementOutcome {

    /** It was computed; a missing gradient is empty. */
    record Computed(Map<String, Optional<Seen>> seen) implements StatementOutcome {}

    /** It was refused as wrong. */
    record Refused(String reason) implements StatementOutcome {}

    /** It failed: a defect, a crash, or no answer in time. */
    record Broken(String reason) implements StatementOutcome {}
}
