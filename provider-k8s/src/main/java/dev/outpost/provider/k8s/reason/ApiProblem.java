package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The outcome of a request to the API server.
 *
 * @param what what is wrong, in words
 * @param remedy one or two sentences on what to do
 * @param retry whether the same request may succeed later
 * @param after how long the server asks to wait before that, where it does
 */
public record ApiProblem(String what, String remedy, Retry retry, Optional<Duration> after) {

    /** Whether to ask again. */
    public enum Retry {
        /** It would end the same way. */
        NEVER,
        /** Once, with credentials that were read anew: they rotate. */
        ONCE,
        /** For some seconds: an API server that has just started refuses what it allows. */
        BRIEFLY,
        /** For as long as one is willing to wait. */
        YES
    }

    public ApiProblem {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(remedy, "remedy");
        Objects.requireNonNull(retry, "retry");
        Objects.requireNonNull(after, "after");
    }

    /** The problem, and the remedy. */
    public String sentence() {
        return Finding.sentence(what, remedy);
    }
}
