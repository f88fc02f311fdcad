package dev.outpost.bench.generate;

/**
 * The speed of an engine.
 *
 * @param prompt prompt tokens of all texts per second, up to the first new token
 * @param decode new tokens of all texts per second, after the first ones
 */
record Rates(double prompt, double decode) {
    /** Computes the rates from the counts and times that an engine reports. */
    static Rates of(double promptTokens, double promptNanos, double newTokens, double decodeNanos) {
        return new Rates(promptTokens * 1e9 / Math.max(1, promptNanos), newTokens * 1e9 / Math.max(1, decodeNanos));
    }
}
