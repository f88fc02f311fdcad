package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the costs of texts, by day, key and model.
 *
 * @param next the value of {@code ?cursor=} for the next page; absent on the last page
 * @param totalNanos the cost of all pages, in billionths of the currency's unit
 * @param total the cost of all pages, in units of the currency
 * @param currency the code of the currency, such as EUR; absent if the operator has not set one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenUsageView(
        Instant from,
        Instant to,
        List<TokenDayView> items,
        @Nullable String next,
        long totalNanos,
        BigDecimal total,
        @Nullable String currency) {

    /**
     * The use of a model by a key on one day.
     *
     * @param texts the number of texts
     * @param promptTokens the number of tokens of prompts, cached ones included
     * @param cachedTokens the number of tokens of prompts that had been computed before
     * @param newTokens the number of new tokens
     * @param seconds the sum of the times of all texts
     * @param nanos the cost, in billionths of the currency's unit
     * @param cost the cost, in units of the currency
     */
    public record TokenDayView(
            LocalDate day,
            String project,
            String keyId,
            String model,
            long texts,
            long promptTokens,
            long cachedTokens,
            long newTokens,
            long seconds,
            long nanos,
            BigDecimal cost) {}
}
