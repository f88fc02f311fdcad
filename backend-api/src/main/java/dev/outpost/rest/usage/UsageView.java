package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/**
 * The costs of some days; a page of them.
 *
 * @param next what {@code ?cursor=} takes for the part behind it; absent at the end
 * @param total of all pages, in units of the currency, exactly; {@code totalNanos} is the same in billionths
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UsageView(
        Instant from,
        Instant to,
        List<DayView> items,
        String next,
        long totalNanos,
        BigDecimal total,
        String currency) {

    /**
     * The cost of a machine on one day.
     *
     * @param deployment which it was a replica of, if any
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DayView(
            LocalDate day,
            UUID machine,
            String project,
            String gpu,
            String deployment,
            long gpuSeconds,
            long nanos,
            BigDecimal cost) {}
}
