package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * The costs of some days; a page of them.
 *
 * @param next what {@code ?cursor=} takes for the part behind it; absent at the end
 * @param total of all pages, in units of the currency, exactly; {@code totalNanos} is the same in billionths
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenUsageView(
        Instant from,
        Instant to,
        List<TokenDayView> items,
        String next,
        long totalNanos,
        BigDecimal total,
        String currency) {

    /** The use of a model by a key on one day. */
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
