package dev.outpost.rest.usage;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/** The period of a budget, by UTC. Spending begins anew with each period. */
public enum BudgetPeriod {
    DAY,
    /** A week from Monday to Sunday. */
    WEEK,
    MONTH,
    LIFETIME;

    /** Returns the beginning of the period that contains a time. */
    public Instant begin(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        LocalDate first = switch (this) {
            case DAY -> today;
            case WEEK -> today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> today.withDayOfMonth(1);
            case LIFETIME -> LocalDate.EPOCH;
        };
        return first.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
