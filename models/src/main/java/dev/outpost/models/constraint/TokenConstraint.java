package dev.outpost.models.constraint;

import java.util.Arrays;
import java.util.Set;

/**
 * The constraint on the tokens of a text, as an automaton over tokens. Tokens with the same next state in every state are one
 * class, which saves memory for large vocabularies. A text begins in state 0. Immutable and thread-safe.
 */
public final class TokenConstraint {
    private final int[] classOf;
    private final int classes;
    private final int[] next;
    private final boolean[] isWhole;
    private final int[] tokensToEnd;

    /**
     * Makes an automaton.
     *
     * @param classOf the class of each token of the vocabulary
     * @param next the state after each class in each state, {@code [states, classes]}; −1 if the token is not allowed.
     *     Tokens that end a text are allowed in accepting states
     * @param isWhole true for each state in which only the end is allowed
     * @param tokensToEnd the minimum number of tokens from each state to one in which the text is complete
     */
    TokenConstraint(int[] classOf, int classes, int[] next, boolean[] isWhole, int[] tokensToEnd) {
        this.classOf = classOf;
        this.classes = classes;
        this.next = next;
        this.isWhole = isWhole;
        this.tokensToEnd = tokensToEnd;
    }

    /**
     * Returns the constraint that a text must have a minimum number of tokens before it ends.
     *
     * @param tokens the minimum number of tokens
     * @param vocabulary the size of the model's vocabulary
     * @param ends the tokens that end a text
     * @param others other tokens that are not allowed before this number is reached
     */
    public static TokenConstraint endingAfter(int tokens, int vocabulary, Set<Integer> ends, Set<Integer> others) {
        int classes = 3;
        int[] classOf = new int[vocabulary];
        others.stream().filter(token -> token < vocabulary).forEach(token -> classOf[token] = 2);
        ends.forEach(end -> classOf[end] = 1);
        int over = tokens + 1;
        int[] next = new int[(over + 1) * classes];
        Arrays.fill(next, -1);
        for (int state = 0; state <= tokens; state++) {
            next[state * classes] = Math.min(state + 1, tokens);
        }
        next[tokens * classes + 1] = over;
        next[tokens * classes + 2] = tokens;
        next[over * classes + 1] = over;
        boolean[] isWhole = new boolean[over + 1];
        isWhole[over] = true;
        return new TokenConstraint(classOf, classes, next, isWhole, new int[over + 1]);
    }

    /** Returns the number of states. */
    public int states() {
        return isWhole.length;
    }

    /** Returns the vocabulary size of the model that the constraint is for. */
    public int vocabulary() {
        return classOf.length;
    }

    /** Returns the state after a token, or −1 if the token is not allowed. */
    public int after(int state, int token) {
        return next[state * classes + classOf[token]];
    }

    /** True if the text is complete in a state, so that only its end can follow. */
    public boolean isWhole(int state) {
        return isWhole[state];
    }

    /** Returns the minimum number of tokens from a state until the text is complete. */
    public int tokensToEnd(int state) {
        return tokensToEnd[state];
    }

    /** Returns the approximate bytes of memory of this constraint. */
    public long bytes() {
        return Integer.BYTES * ((long) classOf.length + next.length + tokensToEnd.length) + isWhole.length;
    }

    int classes() {
        return classes;
    }

    int classOf(int token) {
        return classOf[token];
    }

    /** Returns the next states, {@code [states, classes]}. */
    int[] next() {
        return next;
    }
}
