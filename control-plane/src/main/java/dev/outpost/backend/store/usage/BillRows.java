package dev.outpost.backend.store.usage;

import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.usage.BudgetPeriod;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rows of bills: the use and the cost of each machine on each day, and the sums of days and months. */
public final class BillRows {
    private BillRows() {}

    /** The days of a bill: {@code from} is the first day, and {@code to} is the day after the last day. */
    public record Days(LocalDate from, LocalDate to) {
        /** Returns the whole months, and the remaining days. */
        Map<BudgetPeriod, List<Instant>> parts() {
            Map<BudgetPeriod, List<Instant>> parts =
                    new HashMap<>(Map.of(BudgetPeriod.MONTH, new ArrayList<>(), BudgetPeriod.DAY, new ArrayList<>()));
            LocalDate at = from;
            while (at.isBefore(to)) {
                boolean isMonth = at.getDayOfMonth() == 1 && !at.plusMonths(1).isAfter(to);
                parts.get(isMonth ? BudgetPeriod.MONTH : BudgetPeriod.DAY)
                        .add(at.atStartOfDay(ZoneOffset.UTC).toInstant());
                at = isMonth ? at.plusMonths(1) : at.plusDays(1);
            }
            return parts;
        }
    }

    /** The counted amounts of some days. */
    public record Sum(long nanos, long seconds, long tokenNanos, long tokens) {}

    /** Returns the counted part of a bill. */
    public static Sum sum(Sql sql, String organisation, Optional<String> project, Days days) {
        Map<BudgetPeriod, List<Instant>> parts = days.parts();
        return sql.one(
                        "SELECT " + TotalRows.bounded("coalesce(sum(t.nanos), 0)") + " AS nanos, "
                                + TotalRows.bounded("coalesce(sum(t.seconds), 0)") + " AS seconds, "
                                + TotalRows.bounded("coalesce(sum(t.token_nanos), 0)") + " AS token_nanos, "
                                + TotalRows.bounded("coalesce(sum(t.tokens), 0)") + " AS tokens"
                                + " FROM (SELECT 'MONTH' AS period, unnest(?::text[])::timestamptz AS begins"
                                + " UNION ALL SELECT 'DAY', unnest(?::text[])::timestamptz) p"
                                + " CROSS JOIN LATERAL (SELECT * FROM totals t WHERE t.organisation = ? AND t.project = ? AND t.key_id = ''"
                                + " AND t.gpu = '' AND t.period = p.period AND t.begins = p.begins"
                                + TotalRows.ONE_BY_ONE
                                + ") t",
                        Sum.class,
                        TotalRows.texts(parts.get(BudgetPeriod.MONTH), Instant::toString),
                        TotalRows.texts(parts.get(BudgetPeriod.DAY), Instant::toString),
                        organisation,
                        project.orElse(TotalRows.ALL))
                .orElseThrow();
    }

    /** The use and the cost of a machine on a day. */
    public record MachineDay(
            LocalDate day,
            UUID machine,
            String project,
            String gpu,
            Optional<String> deployment,
            long seconds,
            long nanos) {
        public Position position() {
            return new Position(day, machine);
        }

        public MachineDay plus(MachineDay other) {
            return new MachineDay(
                    day,
                    machine,
                    project,
                    gpu,
                    deployment,
                    seconds + other.seconds(),
                    Amounts.plus(nanos, other.nanos()));
        }
    }

    /** Returns the days of a use, each with its cost. */
    public static List<MachineDay> days(TotalRows.Uncounted one, Prices prices, Instant from, Instant to) {
        UsageRows.Used used = one.used();
        Instant begin = used.usage().from().isAfter(from) ? used.usage().from() : from;
        Instant end = used.usage().to().filter(over -> over.isBefore(to)).orElse(to);
        List<MachineDay> days = new ArrayList<>();
        for (Instant at = begin; at.isBefore(end); at = nextDay(at)) {
            Instant until = nextDay(at).isBefore(end) ? nextDay(at) : end;
            long nanos = Ledger.total(Ledger.charges(used.usage(), used.gpus(), prices.of(used.gpu()), at, until));
            long seconds = used.gpus()
                    * Duration.between(Ledger.second(at), Ledger.second(until)).toSeconds();
            days.add(new MachineDay(
                    day(at), used.machine(), used.project(), used.gpu(), one.deployment(), seconds, nanos));
        }
        return days;
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    private static Instant nextDay(Instant time) {
        return time.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
    }

    /** The last row of a page of a bill. */
    public record Position(LocalDate day, UUID machine) implements Comparable<Position> {
        /** Compares as the database orders rows. */
        @Override
        public int compareTo(Position other) {
            int byDay = day.compareTo(other.day);
            return byDay != 0 ? byDay : machine.toString().compareTo(other.machine.toString());
        }
    }

    /** Returns the counted days of machines after a position, ordered by day and machine. */
    public static List<MachineDay> page(
            Sql sql, String organisation, Optional<String> project, Days days, Optional<Position> after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("day >= ?", days.from())
                .and("day < ?", days.to());
        after.ifPresent(last -> filter.and("(day, machine) > (?, ?)", last.day(), last.machine()));
        return sql.query(
                "SELECT * FROM usage_days" + filter.text() + " ORDER BY day, machine LIMIT ?",
                MachineDay.class,
                filter.values(limit));
    }

    /** Adds use and cost to the days of machines. */
    static void addDays(Sql sql, String organisation, List<MachineDay> days) {
        if (days.isEmpty()) {
            return;
        }
        sql.update(
                "INSERT INTO usage_days AS d (organisation, day, machine, project, gpu, deployment, seconds, nanos)"
                        + " SELECT ?, day::date, machine, project, gpu, nullif(deployment, ''), seconds, nanos"
                        + " FROM unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])"
                        + " AS a (day, machine, project, gpu, deployment, seconds, nanos)"
                        + " ON CONFLICT (organisation, day, machine) DO UPDATE SET seconds = d.seconds + excluded.seconds, nanos = "
                        + TotalRows.bounded("d.nanos::numeric + excluded.nanos"),
                organisation,
                TotalRows.texts(days, day -> day.day().toString()),
                days.stream().map(MachineDay::machine).toList(),
                TotalRows.texts(days, MachineDay::project),
                TotalRows.texts(days, MachineDay::gpu),
                TotalRows.texts(days, day -> day.deployment().orElse("")),
                TotalRows.numbers(days, MachineDay::seconds),
                TotalRows.numbers(days, MachineDay::nanos));
    }
}
