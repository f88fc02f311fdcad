package dev.outpost.bench.generate;

/**
 * How fast an engine was.
 *
 * @param prompt tokens of all prompts a second, up to the first new token
 * @param decode new tokens of all texts a second, behind the first ones
 */
record Rates(double prompt, double decode) {
    /** By what an engine says of itself. */
    static Rates of(double promptTokens, double promptNanos, double newTokens, double decodeNanos) {
        return new Rates(promptTokens * 1e9 / Math.max(1, promptNanos), newTokens * 1e9 / Math.max(1, decodeNanos));
    }
}
