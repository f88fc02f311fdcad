package dev.outpost.models;

import dev.outpost.models.constraint.TokenConstraint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of a text on which its choices of tokens depend, besides the scores, when the text gets a slot.
 *
 * @param tokens the tokens so far
 * @param promptTokens the number of prompt tokens among them
 * @param sampling the sampling rule
 * @param constraint the constraint for the tokens after the prompt, or null
 */
public record SequenceInit(
        int[] tokens,
        int promptTokens,
        Sampling sampling,
        @Nullable TokenConstraint constraint) {
    /** True if the slot needs this state: the rule has penalties, a bias or a constraint. */
    public boolean matters() {
        return constraint != null
                || sampling.hasPenalties()
                || !sampling.logitBias().isEmpty();
    }

    /** Returns the state of the constraint after the tokens. */
    int state() {
        int state = 0;
        for (int place = promptTokens; constraint != null && place < tokens.length; place++) {
            state = constraint.after(state, tokens[place]);
        }
        return state;
    }

    /** Returns 1 for each token that is in the text, and 0 for others. */
    float[] seen(int vocabulary) {
        float[] seen = new float[vocabulary];
        Arrays.stream(tokens).forEach(token -> seen[token] = 1);
        return seen;
    }

    /** Returns the number of times that each token was generated. */
    float[] counts(int vocabulary) {
        float[] counts = new float[vocabulary];
        Arrays.stream(tokens, promptTokens, tokens.length).forEach(token -> counts[token]++);
        return counts;
    }

    float[] bias(int vocabulary) {
        float[] bias = new float[vocabulary];
        sampling.logitBias().forEach((token, value) -> bias[token] = value.floatValue());
        return bias;
    }
}
