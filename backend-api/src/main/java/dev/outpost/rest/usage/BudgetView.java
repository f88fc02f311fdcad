package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The API's view of a budget.
 *
 * @param spent units of the currency, exactly; {@code spentNanos} is the same in billionths
 * @param left and {@code leftNanos}: until no further machine is made, or until the cap where none is refused
 * @param nanosPerSecond what machines cost that there are, those that wait among them
 * @param lasts how long it lasts at this rate
 * @param text the same in a sentence, and why less than the cap is left
 * @param reached what was reached in this period
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BudgetView(
        String name,
        String project,
        String key,
        BudgetPeriod period,
        Instant from,
        BigDecimal cap,
        BigDecimal spent,
        BigDecimal left,
        List<BudgetThreshold> thresholds,
        long spentNanos,
        long leftNanos,
        long nanosPerSecond,
        Duration lasts,
        String text,
        List<String> reached,
        long version) {}
