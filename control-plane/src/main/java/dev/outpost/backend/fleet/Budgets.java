package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.BudgetRows.Live;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.TotalRows;
import dev.outpost.rest.usage.BudgetThreshold;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ensures that spending stays within budgets. A hold is the time up to which budgets have reserved the cost of a machine. Before a machine
 * is made, its budgets must have room for the cost of all machines until their holds are renewed. Holds are renewed while money is left. A
 * machine whose budgets are used up ends. Its grants carry the end of the hold, so its sessions end by themselves if no replica runs to end
 * the machine.
 */
public final class Budgets {
    private static final String ACTOR = "budget";
    private static final int NANO_DIGITS = 9;

    private final Database database;
    private final RowWork organisations;
    private final Machines machines;
    private final Wakeups wakeups;
    private final Duration horizon;
    private final Duration period;
    private final int maxFailures;

    /**
     * @param horizon the time for which a hold lasts
     * @param period the interval at which holds are checked; shorter than half of the horizon
     * @param maxFailures the number of recent failures of a project's machines at which the project gets no more
     *     machines
     */
    public Budgets(
            Database database, Machines machines, Wakeups wakeups, Duration horizon, Duration period, int maxFailures) {
        if (horizon.compareTo(period.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("budget horizon: expected twice " + period + " or more, got " + horizon);
        }
        this.database = database;
        this.organisations = new RowWork(database, "budgets");
        this.machines = machines;
        this.wakeups = wakeups;
        this.horizon = horizon;
        this.period = period;
        this.maxFailures = maxFailures;
    }

    /**
     * Returns the maximum number of machines of a project that may recently have failed. At this number the project gets no more machines.
     */
    public int mostFailures() {
        return maxFailures;
    }

    /** Returns the time for which a hold lasts. */
    public Duration horizon() {
        return horizon;
    }

    /** The reason why a budget does not allow another machine. */
    public record Excess(String name, long used, long asked, long allowed) {
        public String text() {
            return "budget " + name + ": " + units(used) + " of " + units(allowed) + " spent or put by, " + units(asked)
                    + " asked for the time until it is looked at again";
        }
    }

    /** Returns the first budget that a request does not fit into. Other requests of this organisation wait until this transaction ends. */
    public Optional<Excess> check(Sql sql, Request request, String key) {
        if (!BudgetRows.hasAny(sql, request.organisation())) {
            return Optional.empty();
        }
        Instant now = sql.now();
        List<BudgetRows.Stored> all = BudgetRows.lock(sql, request.organisation());
        List<Live> live = BudgetRows.live(sql, request.organisation(), now);
        long more = BudgetRows.rate(sql, request.gpu(), request.allGpus(), now);
        TotalRows.Spending spending = spending(sql, request.organisation(), all, now);
        for (BudgetRows.Stored stored : all) {
            Budget budget = stored.budget();
            if (budget.covers(request.project(), key)) {
                long spent = spending.of(budget);
                long rate = rate(budget, live);
                if (!budget.admits(spent, rate, more, horizon)) {
                    long seconds = horizon.toSeconds();
                    return Optional.of(new Excess(
                            budget.name(),
                            Amounts.plus(spent, Amounts.times(rate, seconds)),
                            Amounts.times(more, seconds),
                            budget.refuseBound().orElseThrow()));
                }
            }
        }
        return Optional.empty();
    }

    /** True if a budget that covers texts of this project and key is used up. */
    public static boolean isUsedUp(Sql sql, String organisation, String project, String key) {
        List<BudgetRows.Stored> all = BudgetRows.all(sql, organisation);
        if (all.isEmpty()) {
            return false;
        }
        TotalRows.Spending spending = spending(sql, organisation, all, sql.now());
        return all.stream()
                .map(BudgetRows.Stored::budget)
                .filter(budget -> budget.covers(project, key))
                .anyMatch(budget -> budget.refuseBound().isPresent()
                        && spending.of(budget) >= budget.refuseBound().getAsLong());
    }

    private static TotalRows.Spending spending(
            Sql sql, String organisation, List<BudgetRows.Stored> budgets, Instant now) {
        return TotalRows.spending(
                sql,
                organisation,
                budgets.stream().map(BudgetRows.Stored::budget).toList(),
                now);
    }

    private static long rate(Budget budget, List<Live> live) {
        return live.stream()
                .filter(one -> budget.covers(one.project(), one.key()))
                .mapToLong(Live::rate)
                .reduce(0, Amounts::plus);
    }

    // ---- the loop

    /** Checks all budgets once, in one transaction for each organisation. */
    public void round() {
        AtomicBoolean isNews = new AtomicBoolean();
        organisations.each(database.transact(BudgetRows::organisations), name -> name, organisation -> {
            if (database.transact(sql -> check(sql, organisation))) {
                isNews.set(true);
            }
        });
        if (isNews.get()) {
            wakeups.driver();
        }
    }

    private boolean check(Sql sql, String organisation) {
        Instant now = sql.now();
        List<BudgetRows.Stored> all = BudgetRows.lock(sql, organisation);
        List<Live> live = BudgetRows.live(sql, organisation, now);
        TotalRows.Spending spending = spending(sql, organisation, all, now);
        List<Seen> seen = new ArrayList<>();
        for (BudgetRows.Stored stored : all) {
            long spent = spending.of(stored.budget());
            notifyBudget(sql, stored, spent, now);
            seen.add(new Seen(stored.budget(), spent, rate(stored.budget(), live)));
        }
        boolean isNews = false;
        for (Live one : live) {
            isNews |= hold(sql, one, seen, now);
        }
        return isNews;
    }

    private record Seen(Budget budget, long spent, long rate) {}

    /** Sends a notification for each reached threshold, once in a period. */
    private static void notifyBudget(Sql sql, BudgetRows.Stored stored, long spent, Instant now) {
        Budget budget = stored.budget();
        Instant begin = budget.period().begin(now);
        List<String> before = stored.reachedFrom().filter(begin::equals).isPresent() ? stored.reached() : List.of();
        List<String> reached =
                budget.reached(spent).stream().map(BudgetThreshold::text).toList();
        List<String> news =
                reached.stream().filter(text -> !before.contains(text)).toList();
        news.forEach(text -> AuditRows.add(
                sql,
                budget.organisation(),
                ACTOR,
                "budget.reached",
                budget.name(),
                text + " %: " + units(spent) + " of " + units(budget.capNanos()) + " is spent"));
        if (!news.isEmpty() || stored.reachedFrom().filter(begin::equals).isEmpty()) {
            BudgetRows.reach(sql, budget, reached, begin);
        }
    }

    /**
     * Renews a machine's hold, or ends the machine before its hold is over. Returns true if the hold has changed or
     * the machine ends.
     */
    private boolean hold(Sql sql, Live one, List<Seen> seen, Instant now) {
        Optional<Seen> tightest = seen.stream()
                .filter(budget -> budget.budget().covers(one.project(), one.key()))
                .filter(budget -> budget.budget().endBound().isPresent())
                .min(Comparator.comparing(budget -> until(budget, now)));
        if (tightest.isEmpty() || one.rate() == 0) {
            one.holdUntil().ifPresent(none -> hold(sql, one.id(), Optional.empty()));
            return one.holdUntil().isPresent();
        }
        Instant until = until(tightest.get(), now);
        boolean isUsedUp = !until.isAfter(now.plus(period));
        if (isUsedUp) {
            machines.apply(
                    sql,
                    one.id(),
                    new Observation.EndAsked(
                            "budget " + tightest.get().budget().name() + " is used up; an administrator raises it"));
            return true;
        }
        boolean isRenewed = one.holdUntil()
                .filter(held -> !until.isBefore(held) && held.isAfter(now.plus(horizon.dividedBy(2))))
                .isEmpty();
        boolean isShorter = one.holdUntil().filter(until::isBefore).isPresent();
        if (isRenewed || isShorter) {
            hold(sql, one.id(), Optional.of(until));
        }
        return isRenewed || isShorter;
    }

    private void hold(Sql sql, UUID machine, Optional<Instant> until) {
        BudgetRows.hold(sql, machine, until);
        machines.apply(sql, machine, new Observation.GrantsChanged());
    }

    /** Sets the first hold of a new machine, after {@link #check} and before the machine has a grant. */
    public void begin(Sql sql, UUID machine, Request request, String key) {
        BudgetRows.setKey(sql, machine, key);
        if (!BudgetRows.hasAny(sql, request.organisation())) {
            return;
        }
        Instant now = sql.now();
        List<Live> live = BudgetRows.live(sql, request.organisation(), now);
        List<BudgetRows.Stored> all = BudgetRows.lock(sql, request.organisation());
        TotalRows.Spending spending = spending(sql, request.organisation(), all, now);
        all.stream()
                .map(BudgetRows.Stored::budget)
                .filter(budget -> budget.covers(request.project(), key))
                .flatMap(budget -> budget.hold(spending.of(budget), rate(budget, live), horizon, now).stream())
                .min(Comparator.naturalOrder())
                .ifPresent(until -> BudgetRows.hold(sql, machine, Optional.of(until)));
    }

    private Instant until(Seen seen, Instant now) {
        return seen.budget().hold(seen.spent(), seen.rate(), horizon, now).orElseThrow();
    }

    /** Formats nano-units for people: with two decimals, rounded up, so that spending is never shown as zero. */
    public static String units(long nanos) {
        return BigDecimal.valueOf(nanos, NANO_DIGITS)
                .setScale(2, RoundingMode.UP)
                .toPlainString();
    }
}
