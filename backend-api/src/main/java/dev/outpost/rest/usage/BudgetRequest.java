package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a budget.
 *
 * @param project the project whose machines it covers; all projects of the organisation by default
 * @param key the id of the key whose requests it covers; all keys by default
 * @param cap the largest amount of a period, in units of the currency
 * @param thresholds the actions; NOTIFY at 80 % and END at 100 % by default
 */
public record BudgetRequest(
        @Nullable String project,
        @Nullable String key,
        BudgetPeriod period,
        BigDecimal cap,
        @Nullable List<ThresholdRequest> thresholds) {

    /**
     * The action at a part of the cap.
     *
     * @param percent the part of the cap, 1 to 100
     */
    public record ThresholdRequest(@Nullable Integer percent, BudgetAction action) {}
}
