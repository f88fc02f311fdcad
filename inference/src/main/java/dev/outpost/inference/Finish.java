package dev.outpost.inference;

/**
 * The end of a text.
 *
 * @param reason why the text ended
 * @param promptTokens tokens of the prompt
 * @param cachedTokens tokens of the prompt whose keys and values came from the cache of an earlier text
 * @param newTokens generated tokens, including the token that ended the text
 */
public record Finish(Reason reason, int promptTokens, int cachedTokens, int newTokens) {
    /** The reason why a text ended. */
    public enum Reason {
        /** The model chose a token that ends texts, or the sink returned false. */
        STOP,
        /** The text reached its limit of new tokens. */
        LENGTH,
        /** The caller cancelled the text. */
        CANCELLED
    }
}
