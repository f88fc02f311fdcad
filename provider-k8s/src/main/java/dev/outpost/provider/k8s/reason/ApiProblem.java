package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The problem of a failed request to the API server.
 *
 * @param what the problem in words
 * @param remedy the remedy, in one or two sentences
 * @param retry the rule for repeating the same request
 * @param after the time to wait before that, if the server asked for one
 */
public record ApiProblem(String what, String remedy, Retry retry, Optional<Duration> after) {

    /** The rule for retries. */
    public enum Retry {
        /** Never: the result would be the same. */
        NEVER,
        /** Once, with credentials that are read again, because they may have been rotated. */
        ONCE,
        /** For some seconds: an API server that has just started refuses permitted requests. */
        BRIEFLY,
        /** For as long as the caller is willing to wait. */
        YES
    }

    public ApiProblem {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(remedy, "remedy");
        Objects.requireNonNull(retry, "retry");
        Objects.requireNonNull(after, "after");
    }

    /** Returns the problem and the remedy. */
    public String sentence() {
        return Finding.sentence(what, remedy);
    }
}
