package dev.outpost.models.training.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * Rows of tokens for a language model. A row may have several texts, one after the other. All arrays have rows · tokens
 * elements.
 *
 * @param rows number of rows
 * @param tokens number of tokens in a row
 * @param ids the tokens
 * @param labels the token that should follow each token, or {@link #NO_LABEL}
 * @param positions the positions of the tokens within their texts
 * @param texts the number of each token's text, from 1 in each row; 0 for padding
 */
public record TokenBatch(int rows, int tokens, int[] ids, int[] labels, int[] positions, int[] texts) {
    /** The label of a token that does not count in the loss. */
    public static final int NO_LABEL = -100;

    public TokenBatch {
        int size = rows * tokens;
        if (ids.length != size || labels.length != size || positions.length != size || texts.length != size) {
            throw new OutpostException(
                    FaultKind.USER,
                    "batch: expected " + size + " tokens, labels, positions and numbers of texts, got " + ids.length
                            + ", " + labels.length + ", " + positions.length + " and " + texts.length);
        }
    }

    /** Returns the number of labels that count. */
    public long labelCount() {
        long count = 0;
        for (int label : labels) {
            count += label == NO_LABEL ? 0 : 1;
        }
        return count;
    }

    /** Returns the number of tokens without padding. */
    public long tokenCount() {
        long count = 0;
        for (int text : texts) {
            count += text == 0 ? 0 : 1;
        }
        return count;
    }
}
