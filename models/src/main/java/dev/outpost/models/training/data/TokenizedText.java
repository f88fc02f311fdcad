package dev.outpost.models.training.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * The tokens of a text, and a mask of the tokens that the model learns.
 *
 * @param ids the tokens
 * @param isLearned true for each token to predict from the tokens before it; ignored for the first token
 */
public record TokenizedText(int[] ids, boolean[] isLearned) {
    public TokenizedText {
        if (ids.length != isLearned.length) {
            throw new OutpostException(
                    FaultKind.USER,
                    "data: expected as many flags as tokens, got " + isLearned.length + " for " + ids.length);
        }
    }

    /** Returns a text whose tokens are all learned. */
    public static TokenizedText of(int[] ids) {
        return behind(0, ids);
    }

    /** Returns a text whose tokens after a prompt are learned. */
    public static TokenizedText behind(int prompt, int[] ids) {
        boolean[] isLearned = new boolean[ids.length];
        java.util.Arrays.fill(isLearned, Math.min(prompt, ids.length), ids.length, true);
        return new TokenizedText(ids, isLearned);
    }
}
