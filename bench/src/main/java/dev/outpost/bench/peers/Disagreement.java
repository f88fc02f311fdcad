package dev.outpost.bench.peers;

/**
 * Thrown if contestants computed different results from the same inputs, or unusable ones, so that their times mean nothing.
 */
public final class Disagreement extends RuntimeException {
    private static final long serialVersionUID = 1;

    Disagreement(String message) {
        super(message);
    }
}
