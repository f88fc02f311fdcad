package dev.outpost.backend.model.usage;

import java.time.Instant;
import java.util.List;

/**
 * The prices of a model's texts from a time on, in billionths of the currency's unit. Amounts are whole numbers, so a
 * sum does not depend on the grouping of texts.
 *
 * @param prompt the price of a token of a prompt that was computed
 * @param cached the price of a token of a prompt that had been computed before
 * @param generated the price of a generated token
 * @param second the price of a second in which a text was under way
 */
public record TokenPrice(String model, Instant from, long prompt, long cached, long generated, long second) {
    /**
     * Returns the cost of a use by the latest price of its model that is valid at the time of use; 0 without a price.
     */
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
