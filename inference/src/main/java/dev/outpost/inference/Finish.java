package dev.outpost.inference;

/**
 * How a text ended.
 *
 * @param reason why
 * @param promptTokens of the prompt
 * @param cachedTokens of the prompt that were computed for another text before
 * @param newTokens that were generated, the one that ended the text included
 */
public record Finish(Reason reason, int promptTokens, int cachedTokens, int newTokens) {
    /** Why a text ended. */
    public enum Reason {
        /** By a token that ends texts, or since its sink wanted no more. */
        STOP,
        /** It has as many tokens as were asked for. */
        LENGTH,
        /** Its caller has gone. */
        CANCELLED
    }
}
