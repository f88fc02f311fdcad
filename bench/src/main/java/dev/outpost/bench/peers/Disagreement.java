package dev.outpost.bench.peers;

/** Contestants computed different things from the same inputs, or nothing that could be compared: no time of theirs says anything. */
public final class Disagreement extends RuntimeException {
    private static final long serialVersionUID = 1;

    Disagreement(String message) {
        super(message);
    }
}
