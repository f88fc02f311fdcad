package dev.outpost.backend.faults;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The rules that must hold for every history, whatever its faults. Uses only the recorded history. */
final class Invariants {
    /** The duration of a hold of a budget. */
    static final Duration HORIZON = Duration.ofMinutes(10);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The rules. */
    enum Rule {
        /** A machine has one row, one tenant and one place. */
        NO_DUPLICATE,

        /** Every running machine has a live row, and the contents of rows are true. */
        NO_ORPHAN,

        /** A machine is charged only while it exists, and according to its events. */
        NO_FALSE_CHARGE,

        /** A budget is exceeded at most by the costs of its machines in one horizon. */
        BUDGET_HOLDS,

        /** Runs of a job do not overlap, and there are not more of them than requested. */
        JOB_RUNS_ONCE,

        /** Confirmed requests are kept and completed. */
        ACCEPTED_IS_KEPT,

        /** No loop fails without an injected fault, and counters equal a recount. */
        NO_DEFECT
    }

    /** A broken rule, with a text that says where it is broken. */
    record Violation(Rule rule, String text) {}

    private final History history;
    private final List<Violation> violations = new ArrayList<>();

    private Invariants(History history) {
        this.history = history;
    }

    static List<Violation> check(History history) {
        Invariants check = new Invariants(history);
        history.all(Happening.Broken.class).forEach(broken -> check.require(false, Rule.NO_DEFECT, broken.failure()));
        check.machines();
        check.runs();
        check.runsOfCancelledJobs();
        check.budgets();
        for (int line = 0; line < history.happenings().size(); line++) {
            if (history.happenings().get(line).what() instanceof Happening.Quiet quiet) {
                check.quiet(quiet, new History(history.happenings().subList(0, line)));
            }
        }
        return check.violations;
    }

    private void require(boolean holds, Rule rule, String text) {
        if (!holds) {
            violations.add(new Violation(rule, text));
        }
    }

    // ---- while things happen

    private void machines() {
        Set<UUID> running = new HashSet<>();
        Map<UUID, String> tenants = new HashMap<>();
        for (Happening one : history.happenings()) {
            switch (one.what()) {
                case Happening.Made made ->
                    require(
                            running.add(made.machine()),
                            Rule.NO_DUPLICATE,
                            "machine " + made.machine() + " was made while it ran already");
                case Happening.Stopped stopped -> running.remove(stopped.machine());
                case Happening.Shared shared ->
                    require(false, Rule.NO_DUPLICATE, "two live rows have machine " + shared.supplied());
                case Happening.Bound bound -> {
                    String tenant = tenants.putIfAbsent(bound.machine(), bound.organisation());
                    require(
                            tenant == null || tenant.equals(bound.organisation()),
                            Rule.NO_DUPLICATE,
                            "machine " + bound.machine() + " was opened for " + tenant + " and for "
                                    + bound.organisation());
                }
                default -> {}
            }
        }
    }

    private void runs() {
        Map<UUID, UUID> running = new HashMap<>();
        Map<UUID, Integer> begun = new HashMap<>();
        Set<UUID> succeeded = new HashSet<>();
        for (Happening one : history.happenings()) {
            if (one.what() instanceof Happening.RunBegan run) {
                UUID other = running.put(run.job(), run.machine());
                require(
                        other == null,
                        Rule.JOB_RUNS_ONCE,
                        "job " + run.job() + " began on " + run.machine() + " while it ran on " + other);
                begun.merge(run.job(), 1, Integer::sum);
            }
            if (one.what() instanceof Happening.RunEnded run) {
                running.remove(run.job(), run.machine());
                run.code().filter(code -> code == 0).ifPresent(code -> succeeded.add(run.job()));
            }
        }
        for (Job job : jobs()) {
            int runs = begun.getOrDefault(job.id(), 0);
            require(
                    runs <= job.spec().retries() + 1,
                    Rule.JOB_RUNS_ONCE,
                    "job " + job.id() + " with " + job.spec().retries() + " retries ran " + runs + " times");
            require(
                    job.phase() != JobPhase.SUCCEEDED || succeeded.contains(job.id()),
                    Rule.JOB_RUNS_ONCE,
                    "job " + job.id() + " is SUCCEEDED, and no run of it ended with 0");
        }
    }

    /** A runner that asks after its job's end was confirmed gets no program. */
    private void runsOfCancelledJobs() {
        List<Happening> all = history.happenings();
        for (int line = 0; line < all.size(); line++) {
            if (all.get(line).what() instanceof Happening.EndAccepted end) {
                int accepted = line;
                all.stream()
                        .map(Happening::what)
                        .filter(Happening.RunBegan.class::isInstance)
                        .map(Happening.RunBegan.class::cast)
                        .filter(run -> run.job().equals(end.id()) && run.asked() > accepted)
                        .forEach(run -> require(
                                false,
                                Rule.ACCEPTED_IS_KEPT,
                                "job " + run.job() + " began after its end was confirmed"));
            }
        }
    }

    private List<Job> jobs() {
        return history.all(Happening.Quiet.class).stream()
                .reduce((first, last) -> last)
                .map(Happening.Quiet::jobs)
                .orElse(List.of());
    }

    private void budgets() {
        Map<String, Happening.BudgetSet> set = new HashMap<>();
        Map<String, Integer> most = new HashMap<>();
        Duration stepped = Duration.ZERO;
        int made = 0;
        for (Happening one : history.happenings()) {
            switch (one.what()) {
                case Happening.BudgetSet budget -> {
                    set.put(budget.organisation(), budget);
                    most.put(budget.organisation(), budget.machines());
                }
                case Happening.Began(HistoryStep.StepClock step) ->
                    stepped = stepped.plusMinutes(Math.abs(step.minutes()));
                case Happening.Made machine -> made++;
                case Happening.Spent spent -> {
                    int machines = most.merge(spent.organisation(), spent.machines(), Math::max);
                    // After a clock jump each machine may appear to have lasted longer, also one that ended before the
                    // jump.
                    long slack = World.RATE * (HORIZON.toSeconds() * machines + stepped.toSeconds() * made);
                    budget(set.get(spent.organisation()), spent, machines, slack);
                }
                default -> {}
            }
        }
    }

    private void budget(Happening.BudgetSet budget, Happening.Spent spent, int machines, long slack) {
        require(
                !spent.isSeen() || spent.nanos() <= Math.max(budget.cap(), budget.spent()) + slack,
                Rule.BUDGET_HOLDS,
                spent.organisation() + " spent " + spent.nanos() + " of " + budget.cap()
                        + ", which is more than a horizon of " + machines + " machines above it");
    }

    // ---- after everything has settled

    private void quiet(Happening.Quiet quiet, History before) {
        Map<UUID, Machine> live = quiet.machines().stream()
                .map(Happening.Charged::row)
                .filter(row -> row.phase().isPlaced() && row.phase() != Phase.ENDED)
                .collect(Collectors.toMap(Machine::suppliedAs, row -> row, (one, other) -> one));
        quiet.running()
                .forEach(machine -> require(
                        live.containsKey(machine),
                        Rule.NO_ORPHAN,
                        "machine " + machine + " runs, and no live row has it"));
        live.values()
                .forEach(row -> require(
                        row.phase() == Phase.READY && quiet.running().contains(row.suppliedAs()),
                        Rule.NO_ORPHAN,
                        "machine " + row.id() + " is " + row.phase() + " (" + row.text()
                                + ") after all is quiet, and its process "
                                + (quiet.running().contains(row.suppliedAs()) ? "runs" : "does not run")));
        quiet.machines().forEach(this::charges);
        accepted(quiet, before);
        if (quiet.isStopped()) {
            require(
                    quiet.running().isEmpty(),
                    Rule.NO_ORPHAN,
                    "these still run after all was ended: " + quiet.running());
            require(quiet.present().isEmpty(), Rule.NO_ORPHAN, "something is left of " + quiet.present());
        }
        quiet.failures().forEach((row, why) -> require(false, Rule.NO_DEFECT, "row " + row + " fails: " + why));
        require(quiet.miscounted().isEmpty(), Rule.NO_DEFECT, "counters are " + quiet.miscounted());
    }

    private void accepted(Happening.Quiet quiet, History before) {
        Map<UUID, Phase> machines = quiet.machines().stream()
                .map(Happening.Charged::row)
                .collect(Collectors.toMap(Machine::id, Machine::phase));
        Map<UUID, JobPhase> jobs = quiet.jobs().stream().collect(Collectors.toMap(Job::id, Job::phase));
        before.all(Happening.Accepted.class)
                .forEach(one -> require(
                        machines.containsKey(one.id()) || jobs.containsKey(one.id()),
                        Rule.ACCEPTED_IS_KEPT,
                        one.id() + " was confirmed, and there is no row of it"));
        Set<UUID> ended = before.all(Happening.EndAccepted.class).stream()
                .map(Happening.EndAccepted::id)
                .collect(Collectors.toSet());
        machines.forEach((id, phase) -> require(
                phase == Phase.ENDED || !ended.contains(id) && !quiet.isStopped(),
                Rule.ACCEPTED_IS_KEPT,
                "machine " + id + " was to end, and is " + phase));
        jobs.forEach((id, phase) -> require(
                phase.isOver() || !ended.contains(id) && !quiet.isStopped(),
                Rule.ACCEPTED_IS_KEPT,
                "job " + id + " was to end, and is " + phase));
    }

    // ---- charges

    private void charges(Happening.Charged charged) {
        Machine row = charged.row();
        require(
                charged.usages().equals(charged.byEvents()),
                Rule.NO_FALSE_CHARGE,
                "machine " + row.id() + " is charged for " + charged.usages() + ", and by its events for "
                        + charged.byEvents());
        boolean isOpen =
                !charged.usages().isEmpty() && charged.usages().getLast().to().isEmpty();
        require(
                isOpen == (row.phase() == Phase.READY),
                Rule.NO_FALSE_CHARGE,
                "machine " + row.id() + " is " + row.phase() + ", and its last interval is "
                        + (isOpen ? "open" : "closed"));
        charged.usages().forEach(usage -> charge(row, usage));
    }

    private void charge(Machine row, UsageInterval usage) {
        Optional<Happening> ready = line(Happening.Ready.class, row.suppliedAs());
        require(
                ready.isPresent(),
                Rule.NO_FALSE_CHARGE,
                "machine " + row.id() + " is charged for " + usage + ", and was never ready");
        ready.ifPresent(one -> require(
                !usage.from().plus(SECOND).isBefore(one.clock().minus(stepped(one))),
                Rule.NO_FALSE_CHARGE,
                "machine " + row.id() + " is charged for " + usage + ", and was ready at " + one.clock()));
        // An interval of less than a second costs nothing.
        line(Happening.Stopped.class, row.suppliedAs())
                .ifPresent(stopped -> usage.to()
                        .filter(usage.from()::isBefore)
                        .ifPresent(to -> require(
                                !to.isAfter(lastCharge(row, usage, stopped)),
                                Rule.NO_FALSE_CHARGE,
                                "machine " + row.id() + " is charged until " + to + ", and did not run after "
                                        + stopped.clock())));
    }

    /**
     * The time until which a stopped machine may be charged. If clocks disagree, or if its end was requested before any replica could see that
     * it had stopped, this is the time of the first list of its cluster after that.
     */
    private Instant lastCharge(Machine row, UsageInterval usage, Happening stopped) {
        boolean isAsked = usage.ended().filter("END_ASKED"::equals).isPresent();
        boolean isSkewed = history.all(Happening.Began.class).stream()
                .map(Happening.Began::step)
                .anyMatch(step -> step instanceof HistoryStep.StepHostClock || step instanceof HistoryStep.StepClock);
        if (!isSkewed && !isAsked) {
            return stopped.clock().plus(SECOND);
        }
        return behind(stopped).lines(Happening.Listed.class).stream()
                .filter(one -> row.cluster()
                        .filter(((Happening.Listed) one.what()).cluster()::equals)
                        .isPresent())
                .findFirst()
                .map(look -> latest(look).plus(SECOND))
                .orElse(Instant.MAX);
    }

    /** The latest time that the database's clock has shown up to a line; the clock may have gone back since. */
    private Instant latest(Happening line) {
        List<Happening> all = history.happenings();
        return all.subList(0, all.indexOf(line) + 1).stream()
                .map(Happening::clock)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The history after a line. */
    private History behind(Happening line) {
        List<Happening> all = history.happenings();
        return new History(all.subList(all.indexOf(line) + 1, all.size()));
    }

    /** The sum of the jumps of the database's clock after a line. */
    private Duration stepped(Happening line) {
        return behind(line).all(Happening.Began.class).stream()
                .map(Happening.Began::step)
                .filter(HistoryStep.StepClock.class::isInstance)
                .map(step -> Duration.ofMinutes(Math.abs(((HistoryStep.StepClock) step).minutes())))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private Optional<Happening> line(Class<? extends Happening.What> kind, UUID machine) {
        return history.lines(kind).stream()
                .filter(one -> switch (one.what()) {
                    case Happening.Ready it -> it.machine().equals(machine);
                    case Happening.Stopped it -> it.machine().equals(machine);
                    default -> false;
                })
                .reduce((first, last) -> last);
    }
}
