package dev.outpost.backend.api.usage;

import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BillRows;
import dev.outpost.backend.store.usage.BillRows.Days;
import dev.outpost.backend.store.usage.BillRows.MachineDay;
import dev.outpost.backend.store.usage.BillRows.Position;
import dev.outpost.backend.store.usage.TotalRows;
import dev.outpost.backend.store.usage.UsageRows;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cost of the machines of an organisation, or of one of its projects, in a range of days. It adds the counted
 * days and the costs of machines that still run or are not counted yet. Used in one transaction that reads one state
 * of the database.
 */
final class Bill {
    private final String organisation;
    private final Optional<String> project;
    private final Days days;

    /** Machine days that are not counted yet, or only in part. */
    private final SortedMap<Position, MachineDay> uncounted = new TreeMap<>();

    private Bill(String organisation, Optional<String> project, Days days) {
        this.organisation = organisation;
        this.project = project;
        this.days = days;
    }

    static Bill of(Sql sql, String organisation, Optional<String> project, Days days, Instant now) {
        Bill bill = new Bill(organisation, project, days);
        Prices prices = UsageRows.allPrices(sql);
        Instant from = days.from().atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant end = days.to().atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant to = end.isBefore(now) ? end : now;
        TotalRows.uncounted(sql, organisation).stream()
                .filter(one -> project.filter(name -> !name.equals(one.used().project()))
                        .isEmpty())
                .flatMap(one -> BillRows.days(one, prices, from, to).stream())
                .forEach(day -> bill.uncounted.merge(day.position(), day, MachineDay::plus));
        return bill;
    }

    /** Returns the rows after a position, ordered by day and machine. */
    List<MachineDay> page(Sql sql, Optional<Position> after, int limit) {
        SortedMap<Position, MachineDay> all = new TreeMap<>();
        BillRows.page(sql, organisation, project, days, after, limit).forEach(day -> all.put(day.position(), day));
        uncounted.values().stream()
                .filter(day -> after.filter(last -> day.position().compareTo(last) <= 0)
                        .isEmpty())
                .limit(limit)
                .forEach(day -> all.merge(day.position(), day, MachineDay::plus));
        return all.values().stream().limit(limit).toList();
    }

    /** The cost of all days. */
    long total(Sql sql) {
        return uncounted.values().stream()
                .mapToLong(MachineDay::nanos)
                .reduce(BillRows.sum(sql, organisation, project, days).nanos(), Amounts::plus);
    }
}
