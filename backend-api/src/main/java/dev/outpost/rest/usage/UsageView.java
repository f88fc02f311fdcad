package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of the costs of machines, by machine and day.
 *
 * @param next the value of {@code ?cursor=} for the next page; absent on the last page
 * @param totalNanos the cost of all pages, in billionths of the currency's unit
 * @param total the cost of all pages, in units of the currency
 * @param currency the code of the currency, such as EUR; absent if the operator has not set one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UsageView(
        Instant from,
        Instant to,
        List<DayView> items,
        @Nullable String next,
        long totalNanos,
        BigDecimal total,
        @Nullable String currency) {

    /**
     * The cost of a machine on one day.
     *
     * @param deployment the deployment whose replica it was
     * @param gpuSeconds the charged seconds, times the number of GPUs
     * @param nanos the cost, in billionths of the currency's unit
     * @param cost the cost, in units of the currency
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DayView(
            LocalDate day,
            UUID machine,
            String project,
            String gpu,
            @Nullable String deployment,
            long gpuSeconds,
            long nanos,
            BigDecimal cost) {}
}
