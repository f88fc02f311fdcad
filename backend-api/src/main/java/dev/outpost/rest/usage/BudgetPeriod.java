package dev.outpost.rest.usage;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/** When spending begins anew, by UTC. */
public enum BudgetPeriod {
    DAY,
    /** It begins on Monday. */
    WEEK,
    MONTH,
    LIFETIME;

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
