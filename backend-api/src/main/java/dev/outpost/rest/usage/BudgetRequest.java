package dev.outpost.rest.usage;

import java.math.BigDecimal;
import java.util.List;

/**
 * The desired state of a budget.
 *
 * @param project whose machines it covers; all of the organisation's where it is absent
 * @param key by which key they were asked for; any where it is absent
 * @param cap units of the currency
 * @param thresholds what is done at which parts; unless given NOTIFY at 80 % and END at 100 %
 */
public record BudgetRequest(
        String project, String key, BudgetPeriod period, BigDecimal cap, List<ThresholdRequest> thresholds) {

    /** The action at a part of the cap. */
    public record ThresholdRequest(Integer percent, BudgetAction action) {}
}
