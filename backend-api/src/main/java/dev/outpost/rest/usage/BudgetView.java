package dev.outpost.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a budget. Amounts are in units of the currency; those called {@code Nanos} are in billionths of
 * the unit.
 *
 * @param project the project whose machines it covers; all projects of the organisation if absent
 * @param key the id of the key whose requests it covers; all keys if absent
 * @param from the beginning of the present period
 * @param spent the amount spent in the present period
 * @param left the amount until new machines are refused, or until the cap if the budget refuses none
 * @param nanosPerSecond the cost of a second of all present machines, waiting ones included
 * @param lasts the time until nothing is left at this rate
 * @param text a sentence about the rest, and the reason why less than the cap is left
 * @param reached the thresholds reached in the present period, such as {@code 80 NOTIFY}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BudgetView(
        String name,
        @Nullable String project,
        @Nullable String key,
        BudgetPeriod period,
        Instant from,
        BigDecimal cap,
        BigDecimal spent,
        BigDecimal left,
        List<BudgetThreshold> thresholds,
        long spentNanos,
        long leftNanos,
        long nanosPerSecond,
        @Nullable Duration lasts,
        String text,
        List<String> reached,
        long version) {}
