package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.reason.ApiProblem;
import java.util.Objects;

/**
 * One thing about a cluster that was looked at.
 *
 * @param what a word or two for what was looked at
 * @param state how it is
 * @param sentence what was found
 * @param remedy what to do about it; empty where there is nothing to do
 */
public record ClusterFinding(String what, State state, String sentence, String remedy) {

    /** How something is. */
    public enum State {
        /** As machines need it. */
        OK,
        /** Machines can be had, but something would be better otherwise. */
        WARNING,
        /** Machines cannot be had. */
        PROBLEM,
        /** It could not be found out. */
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
