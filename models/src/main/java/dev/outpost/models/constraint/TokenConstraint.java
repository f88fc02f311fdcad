package dev.outpost.models.constraint;

/**
 * The constraint on the tokens of a text, as an automaton over tokens. Tokens that lead to the same states everywhere
 * are one class, so that a large vocabulary takes little room. A text begins in state 0. Immutable and thread-safe.
 */
public final class TokenConstraint {
    private final int[] classOf;
    private final int classes;
    private final int[] next;
    private final boolean[] isWhole;
    private final int[] tokensToEnd;

    /**
     * An automaton.
     *
     * @param classOf the class of each token of the vocabulary
     * @param next the state behind each class in each state, {@code [states, classes]}; −1 where the token is not allowed. What ends a
     *     text is allowed where it may end
     * @param isWhole whether nothing but the end is allowed in a state
     * @param tokensToEnd the least number of tokens from each state to one in which the text is whole
     */
    TokenConstraint(int[] classOf, int classes, int[] next, boolean[] isWhole, int[] tokensToEnd) {
        this.classOf = classOf;
        this.classes = classes;
        this.next = next;
        this.isWhole = isWhole;
        this.tokensToEnd = tokensToEnd;
    }

    /** How many states it has. */
    public int states() {
        return isWhole.length;
    }

    /** How many tokens the model has that it is for. */
    public int vocabulary() {
        return classOf.length;
    }

    /** The state behind a token, or −1 where the token is not allowed. */
    public int after(int state, int token) {
        return next[state * classes + classOf[token]];
    }

    /** Whether the text is whole in a state: nothing can follow but its end. */
    public boolean isWhole(int state) {
        return isWhole[state];
    }

    /** The least number of tokens behind which the text is whole, from a state on. */
    public int tokensToEnd(int state) {
        return tokensToEnd[state];
    }

    int classes() {
        return classes;
    }

    int classOf(int token) {
        return classOf[token];
    }

    /** {@code [states, classes]}. */
    int[] next() {
        return next;
    }
}
