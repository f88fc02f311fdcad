package dev.outpost.backend.model;

import java.time.Instant;
import java.util.List;

/**
 * What texts of a model cost from a time on, in billionths of the currency's unit. Amounts are whole, so a sum does not depend on how
 * texts were put together.
 *
 * @param prompt of a token of a prompt that was computed
 * @param cached of a token of a prompt that had been computed before
 * @param generated of a new token
 * @param second of a second in which a text was under way
 */
public record TokenPrice(String model, Instant from, long prompt, long cached, long generated, long second) {
    /** What a use costs by the latest of a model's prices whose time has come; nothing where there is none. */
    public static long cost(List<TokenPrice> prices, TokenUse use) {
        long nanos = 0;
        Instant latest = Instant.MIN;
        for (TokenPrice price : prices) {
            if (!price.from.isAfter(use.at()) && !price.from.isBefore(latest)) {
                latest = price.from;
                nanos = price.of(use);
            }
        }
        return nanos;
    }

    private long of(TokenUse use) {
        long prompts = Amounts.times(prompt, use.promptTokens() - use.cachedTokens());
        long tokens =
                Amounts.plus(Amounts.times(cached, use.cachedTokens()), Amounts.times(generated, use.newTokens()));
        return Amounts.plus(Amounts.plus(prompts, tokens), Amounts.times(second, use.seconds()));
    }
}
