package dev.outpost.models;

/**
 * What the tokens of a text must match, as an automaton over tokens: in each state, the state behind each token, or −1 where the
 * token is not allowed. The text begins in state 0. Immutable and thread-safe.
 */
public final class TokenConstraint {
    private final int[][] next;

    /** @param next by state and token; a state behind the end of the text allows what ends it, and goes on to itself */
    TokenConstraint(int[][] next) {
        this.next = next;
    }

    /** How many states it has. */
    public int states() {
        return next.length;
    }

    int[][] next() {
        return next;
    }
}
