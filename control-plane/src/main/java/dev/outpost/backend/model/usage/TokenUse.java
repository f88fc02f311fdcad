package dev.outpost.backend.model.usage;

import java.time.Instant;

/**
 * The use of tokens by texts that a server generated.
 *
 * @param at the time at which the texts ended; only its hour matters
 * @param texts the number of texts
 * @param promptTokens the tokens of their prompts, including cached ones
 * @param cachedTokens the tokens of the prompts that had been computed before
 * @param newTokens the generated tokens
 * @param seconds the sum of the seconds in which each text was under way
 */
public record TokenUse(
        String model, Instant at, long texts, long promptTokens, long cachedTokens, long newTokens, long seconds) {
    /**
     * The maximum of each count of a record: more than a machine generates in an hour. Sums of records may be larger.
     */
    public static final long MAX = 1_000_000_000_000L;

    public TokenUse {
        for (long count : new long[] {texts, promptTokens, cachedTokens, newTokens, seconds}) {
            if (count < 0) {
                throw new IllegalArgumentException("records: expected counts from 0 to " + MAX + ", got " + count);
            }
        }
        if (cachedTokens > promptTokens) {
            throw new IllegalArgumentException("records: expected cachedTokens of up to promptTokens, got "
                    + cachedTokens + " of " + promptTokens);
        }
    }
}
