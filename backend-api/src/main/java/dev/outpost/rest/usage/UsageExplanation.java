package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All charges of a machine.
 *
 * @param totalNanos the sum, in billionths of the currency's unit
 * @param total the sum, in units of the currency
 * @param currency the code of the currency, such as EUR; absent if the operator has not set one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UsageExplanation(
        UUID machine,
        List<ChargeView> items,
        long totalNanos,
        BigDecimal total,
        @Nullable String currency) {

    /**
     * The charge of an interval with one price.
     *
     * @param perHour the price of a GPU for an hour, in units of the currency
     * @param nanosPerSecond the price of a GPU for a second, in billionths of the currency's unit
     * @param nanos the charge, in billionths of the currency's unit
     * @param cost the charge, in units of the currency
     * @param began the reason why the interval began
     * @param ended the reason why the interval ended
     */
    public record ChargeView(
            Instant from,
            Instant to,
            long seconds,
            int gpus,
            BigDecimal perHour,
            long nanosPerSecond,
            long nanos,
            BigDecimal cost,
            String began,
            String ended) {}
}
