package dev.outpost.models.training.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * The tokens of a text, and which of them are learned.
 *
 * @param ids the tokens
 * @param isLearned whether a token is to be predicted from those before it; the first of a text is not, whatever this says
 */
public record TokenizedText(int[] ids, boolean[] isLearned) {
    public TokenizedText {
        if (ids.length != isLearned.length) {
            throw new OutpostException(
                    FaultKind.USER,
                    "data: expected as many flags as tokens, got " + isLearned.length + " for " + ids.length);
        }
    }

    /** All of it is learned. */
    public static TokenizedText of(int[] ids) {
        return behind(0, ids);
    }

    /** The tokens behind a prompt are learned. */
    public static TokenizedText behind(int prompt, int[] ids) {
        boolean[] isLearned = new boolean[ids.length];
        java.util.Arrays.fill(isLearned, Math.min(prompt, ids.length), ids.length, true);
        return new TokenizedText(ids, isLearned);
    }
}
