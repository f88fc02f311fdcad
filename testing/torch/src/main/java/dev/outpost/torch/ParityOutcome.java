package dev.outpost.torch;

import java.util.Optional;

/** The outcome of a case; it passed if there is no difference. */
public record ParityOutcome(String id, String op, Optional<String> difference) {
    public boolean passed() {
        return difference.isEmpty();
    }
}
