package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** All of them. */
public record TokenPrices(List<TokenPriceView> items) {

    /** A price as it was set, and the same in billionths of the currency's unit of a token, and of a second. */
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
            String currency) {}
}
