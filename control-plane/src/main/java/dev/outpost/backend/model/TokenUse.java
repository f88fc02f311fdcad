package dev.outpost.backend.model;

import java.time.Instant;

/**
 * What texts that a server generated have used.
 *
 * @param at when they ended; the hour counts
 * @param texts how many there were
 * @param promptTokens of their prompts, the cached ones included
 * @param cachedTokens of them, those that had been computed before
 * @param newTokens that were generated
 * @param seconds in which they were under way, summed up over texts
 */
public record TokenUse(
        String model, Instant at, long texts, long promptTokens, long cachedTokens, long newTokens, long seconds) {
    /** The most that one record may count: more than a machine generates in an hour. Sums are larger. */
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
