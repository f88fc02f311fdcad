package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All prices of tokens. */
public record TokenPrices(List<TokenPriceView> items) {

    /**
     * The prices of a model's tokens, in units of the currency; those called {@code Nanos} are for one token or
     * second, in billionths of the unit.
     *
     * @param from the time from which the prices are valid
     * @param perMillionPrompt the price of a million tokens of prompts that are computed
     * @param perMillionCached the price of a million tokens of prompts that had been computed before
     * @param perMillionNew the price of a million new tokens
     * @param perSecond the price of a second in which a text is generated
     * @param currency the code of the currency, such as EUR; absent if the operator has not set one
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TokenPriceView(
            String model,
            Instant from,
            long promptNanos,
            long cachedNanos,
            long newNanos,
            long nanosPerSecond,
            BigDecimal perMillionPrompt,
            BigDecimal perMillionCached,
            BigDecimal perMillionNew,
            BigDecimal perSecond,
            @Nullable String currency) {}
}
