package dev.outpost.models.sampling;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of the choice of a text's tokens besides its scores, at the time when it gets a slot.
 *
 * @param tokens those that it has
 * @param promptTokens how many of them are its prompt
 * @param sampling its rule
 * @param constraint what the tokens behind the prompt must match, or null
 */
public record SequenceInit(
        int[] tokens,
        int promptTokens,
        Sampling sampling,
        @Nullable TokenConstraint constraint) {
    /** Whether a slot has to be told of it at all. */
    public boolean matters() {
        return constraint != null
                || sampling.hasPenalties()
                || !sampling.logitBias().isEmpty();
    }

    /** The state of the constraint behind the tokens. */
    int state() {
        int state = 0;
        for (int place = promptTokens; constraint != null && place < tokens.length; place++) {
            state = constraint.after(state, tokens[place]);
        }
        return state;
    }

    /** 1 for each token that is in the text. */
    float[] seen(int vocabulary) {
        float[] seen = new float[vocabulary];
        Arrays.stream(tokens).forEach(token -> seen[token] = 1);
        return seen;
    }

    /** How often each token was generated. */
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
