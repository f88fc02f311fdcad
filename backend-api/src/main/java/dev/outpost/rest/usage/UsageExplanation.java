package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** All charges of a machine. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UsageExplanation(
        UUID machine, List<ChargeView> items, long totalNanos, BigDecimal total, String currency) {

    /** A time with one price, why it began and why it ended. */
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
