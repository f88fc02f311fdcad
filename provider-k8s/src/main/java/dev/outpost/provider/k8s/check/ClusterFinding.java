package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.reason.ApiProblem;
import java.util.Objects;

/**
 * The finding of one check of a cluster.
 *
 * @param what the name of the check, one or two words
 * @param state the result
 * @param sentence the finding in words
 * @param remedy the advice about it; empty if nothing needs to be done
 */
public record ClusterFinding(String what, State state, String sentence, String remedy) {

    /** The result of a check. */
    public enum State {
        /** Nothing is missing. */
        OK,
        /** Machines can be provided, but something should be improved. */
        WARNING,
        /** Machines cannot be provided. */
        PROBLEM,
        /** The check got no result. */
        UNKNOWN
    }

    public ClusterFinding {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(sentence, "sentence");
        Objects.requireNonNull(remedy, "remedy");
    }

    static ClusterFinding ok(String what, String sentence) {
        return new ClusterFinding(what, State.OK, sentence, "");
    }

    static ClusterFinding warning(String what, String sentence, String remedy) {
        return new ClusterFinding(what, State.WARNING, sentence, remedy);
    }

    static ClusterFinding problem(String what, String sentence, String remedy) {
        return new ClusterFinding(what, State.PROBLEM, sentence, remedy);
    }

    static ClusterFinding problem(String what, ApiProblem problem) {
        return problem(what, problem.what(), problem.remedy());
    }

    static ClusterFinding unknown(String what, String sentence, String remedy) {
        return new ClusterFinding(what, State.UNKNOWN, sentence, remedy);
    }
}
