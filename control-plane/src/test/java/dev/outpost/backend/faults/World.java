package dev.outpost.backend.faults;

import dev.outpost.backend.fleet.Backend;
import dev.outpost.backend.fleet.Crash;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.EventRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs the steps of one history on one thread: replicas of the backend without their threads, a real database whose clock the steps move,
 * and simulated clusters and clients. Records what happens.
 */
final class World {
    static final int REPLICAS = 2;
    static final List<String> ORGANISATIONS = List.of("acme", "umbra");
    static final String PROJECT = "vision";
    static final String GPU = "A100";

    /** Billionths a second. */
    static final long RATE = 1_000;

    private static final int ROOM = 6;
    private static final int DEEPEST = 2;

    /** The interval at which machines, runners, gateways and clients act while time passes. */
    private static final Duration TICK = Duration.ofSeconds(30);

    private static final Duration PASS = Duration.ofSeconds(30);
    private static final Duration LONGEST_SETTLING = Duration.ofMinutes(90);
    private static final int SHORT_ROUNDS = 20;
    private static final int QUIET_ROUNDS = 3;

    private final List<HistoryStep> steps;
    private final TestDatabase test;
    private final Database database;
    private final Random random;
    private final History history = new History();
    private final Hosts hosts = new Hosts(this);
    private final List<BackendReplica> replicas = new ArrayList<>();
    private final SimulatedClients clients = new SimulatedClients(this, hosts);
    private Instant now = TestDatabase.START;

    /** The time by the database's clock. */
    private Instant clock = TestDatabase.START;

    private int cursor;
    private int depth;
    private boolean isDiskFull;

    /** The sum of all backward jumps of the database's clock. */
    private Duration stepsBack = Duration.ZERO;

    World(List<HistoryStep> steps, long seed, TestDatabase test) {
        this.steps = steps;
        this.random = new Random(seed);
        this.test = test;
        this.database = test.database();
        database.run(sql -> {
            ORGANISATIONS.forEach(name -> {
                TenantRows.addOrganisation(sql, name);
                TenantRows.addProject(sql, name, PROJECT, 0);
            });
            UsageRows.set(sql, new Price(GPU, Instant.EPOCH, RATE));
            for (int cluster = 0; cluster < Hosts.CLUSTERS; cluster++) {
                ClusterRows.add(
                        sql,
                        ClusterRows.Stored.active(
                                Hosts.name(cluster),
                                Hosts.PROVIDER,
                                List.of(GPU),
                                OptionalInt.of(ROOM),
                                Hosts.options(cluster)));
            }
        });
        for (int number = 0; number < REPLICAS; number++) {
            replicas.add(replica(number));
        }
    }

    private BackendReplica replica(int number) {
        return new BackendReplica(this, number, test.source(), hosts, () -> isDiskFull);
    }

    /** Does all steps, ends all faults, and waits until everything has settled; then lets clients end everything. */
    History run() {
        try {
            doAll();
        } catch (RuntimeException failure) {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            record(new Happening.Broken(text.toString()));
        }
        return history;
    }

    private void doAll() {
        while (cursor < steps.size()) {
            next();
        }
        heal();
        settle();
        probe();
        record(quiet(false));
        clients.endAll();
        settle();
        record(quiet(true));
    }

    // ---- for hosts, clients and replicas

    Instant now() {
        return now;
    }

    Database database() {
        return database;
    }

    void record(Happening.What what) {
        history.happenings().add(new Happening(now, clock, what));
    }

    /** The number of lines of the history. */
    int lines() {
        return history.happenings().size();
    }

    /** A random id that follows from the seed. */
    UUID draw() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    boolean hasReplica() {
        return replicas.stream().anyMatch(BackendReplica::isAlive);
    }

    /** Sends a request to a live replica; empty if there is none, or it gave no answer. */
    <T> Optional<T> call(Function<Backend, T> request) {
        Optional<BackendReplica> alive =
                replicas.stream().filter(BackendReplica::isAlive).findFirst();
        List<T> answer = new ArrayList<>();
        alive.ifPresent(replica -> attempt(replica, () -> answer.add(request.apply(replica.backend()))));
        return answer.stream().findFirst();
    }

    /** Sends a request of a machine, which may be cut off. */
    <T> Optional<T> call(HostMachine machine, Function<Backend, T> request) {
        boolean isHeard = !hosts.isCut(machine.cluster()) && !machine.isUnheard();
        return isHeard ? call(request) : Optional.empty();
    }

    /** Runs work of a replica, which may be killed during it. */
    void attempt(BackendReplica replica, Runnable work) {
        try {
            work.run();
        } catch (Crash crash) {
            record(new Happening.Killed(replicas.indexOf(replica), crash.getMessage()));
        } catch (RuntimeException failure) {
            // Loops log a failure and continue; clients repeat their requests.
            if (!isInjected(failure)) {
                throw failure;
            }
        }
    }

    static boolean isInjected(Throwable failed) {
        return String.valueOf(failed.getMessage()).contains(BackendReplica.INJECTED)
                || failed.getCause() != null && isInjected(failed.getCause())
                || failed instanceof FleetException;
    }

    Optional<String> organisationOf(String token) {
        return clients.organisationOf(token);
    }

    boolean isUsing(String token) {
        return clients.isUsing(token);
    }

    boolean isServing(UUID machine) {
        return clients.isServing(machine);
    }

    SimulatedJobRunner.Program program(UUID job) {
        return clients.program(job);
    }

    // ---- steps

    /** Does the next steps while a replica is paused. */
    void meanwhile(int count) {
        if (depth == DEEPEST) {
            return;
        }
        depth++;
        for (int step = 0; step < count && cursor < steps.size(); step++) {
            next();
        }
        depth--;
    }

    private void next() {
        HistoryStep step = steps.get(cursor++);
        record(new Happening.Began(step));
        apply(step);
        probe();
        probeBudgets(
                switch (step) {
                    case HistoryStep.Round it -> replicas.get(it.replica()).isAlive();
                    case HistoryStep.Pass it -> hasReplica();
                    default -> false;
                });
    }

    private void apply(HistoryStep step) {
        switch (step) {
            case HistoryStep.Advance it -> advance(Duration.ofSeconds(it.seconds()));
            case HistoryStep.Round it -> replicas.get(it.replica()).round();
            case HistoryStep.Work it -> replicas.get(it.replica()).work(it.loop());
            case HistoryStep.Pass it -> pass(Duration.ofMinutes(it.minutes()));
            case HistoryStep.Start it -> clients.start(it);
            case HistoryStep.Stop it -> clients.stop(it);
            case HistoryStep.Leave it -> clients.leave(it);
            case HistoryStep.Submit it -> clients.submit(it);
            case HistoryStep.Cancel it -> clients.cancel(it);
            case HistoryStep.Deploy it -> clients.deploy(it);
            case HistoryStep.Demand it -> clients.demand(it);
            case HistoryStep.Undeploy it -> clients.undeploy(it);
            case HistoryStep.SetBudget it -> clients.setBudget(it);
            case HistoryStep.SetPool it -> clients.setPool(it);
            case HistoryStep.Kill it -> replicas.get(it.replica()).killAt(it.points());
            case HistoryStep.Revive it -> revive(it.replica());
            case HistoryStep.Pause it -> replicas.get(it.replica()).pauseAt(it.points(), it.steps());
            case HistoryStep.KillDatabase it -> replicas.get(it.replica()).breakCommit(it.commits(), it.isCommitted());
            case HistoryStep.Disk it -> isDiskFull = it.isFull();
            case HistoryStep.Cut it -> hosts.cut(it.cluster(), it.isCut());
            case HistoryStep.LoseAnswers it -> hosts.loseAnswers(it.cluster(), it.calls());
            case HistoryStep.KillMachine it ->
                pick(hosts.running(), it.machine())
                        .ifPresent(machine -> machine.stop(EndCause.FAILED, "it was killed"));
            case HistoryStep.KillRunner it ->
                pick(hosts.running(), it.machine()).ifPresent(HostMachine::killRunner);
            case HistoryStep.LoseNode it ->
                pick(hosts.running(), it.machine())
                        .ifPresent(machine -> machine.lose(Duration.ofSeconds(it.seconds())));
            case HistoryStep.KillHost it -> hosts.kill(it.cluster());
            case HistoryStep.StepClock it -> stepClock(Duration.ofMinutes(it.minutes()));
            case HistoryStep.StepHostClock it -> hosts.stepClock(it.cluster(), Duration.ofMinutes(it.minutes()));
        }
    }

    static <T> Optional<T> pick(List<T> all, int number) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(number % all.size()));
    }

    private void revive(int replica) {
        if (!replicas.get(replica).isAlive()) {
            replicas.set(replica, replica(replica));
        }
    }

    private void stepClock(Duration step) {
        test.advance(step);
        clock = clock.plus(step);
        stepsBack = step.isNegative() ? stepsBack.minus(step) : stepsBack;
    }

    private void advance(Duration time) {
        Instant end = now.plus(time);
        while (now.isBefore(end)) {
            Duration left = Duration.between(now, end);
            Duration tick = left.compareTo(TICK) < 0 ? left : TICK;
            now = now.plus(tick);
            test.advance(tick);
            clock = clock.plus(tick);
            hosts.running().forEach(HostMachine::live);
            clients.act();
        }
    }

    private void pass(Duration time) {
        Instant end = now.plus(time);
        for (int round = 0; now.isBefore(end); round++) {
            advance(PASS);
            replicas.get(round % REPLICAS).round();
        }
    }

    // ---- the end

    private void heal() {
        isDiskFull = false;
        clients.rest();
        hosts.heal();
        for (int number = 0; number < REPLICAS; number++) {
            revive(number);
            replicas.get(number).heal();
        }
    }

    /**
     * Waits until everything has settled, for at most the duration of locks, grace periods, pauses and leases, also by a clock that has
     * gone back. Returns earlier if nothing is in progress.
     */
    private void settle() {
        Instant end = now.plus(LONGEST_SETTLING).plus(stepsBack);
        int quietRounds = 0;
        for (int round = 0; now.isBefore(end) && quietRounds < QUIET_ROUNDS; round++) {
            advance(round < SHORT_ROUNDS ? PASS : PASS.multipliedBy(6));
            replicas.get(round % REPLICAS).round();
            probeBudgets(true);
            quietRounds = isQuiet() ? quietRounds + 1 : 0;
        }
    }

    /** Returns true if nothing is in progress, by the rows and by the real state of the machines. */
    private boolean isQuiet() {
        return database.transact(sql -> {
            boolean isBusy = sql.one(
                            "SELECT 1 FROM machines WHERE phase NOT IN ('READY', 'QUOTA', 'POSITION', 'CAPACITY', 'ENDED')"
                                    + " UNION ALL SELECT 1 FROM jobs WHERE phase NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED')"
                                    + " UNION ALL SELECT 1 FROM deployments WHERE removed LIMIT 1",
                            row -> true)
                    .isPresent();
            Set<UUID> ready = Set.copyOf(sql.query(
                    "SELECT coalesce(member, id) AS supplied FROM machines WHERE phase = 'READY'",
                    row -> row.object("supplied", UUID.class)));
            return !isBusy && ready.equals(Set.copyOf(hosts.present()));
        });
    }

    private Happening.Quiet quiet(boolean isStopped) {
        return database.transact(sql -> new Happening.Quiet(
                isStopped,
                hosts.running().stream().map(HostMachine::id).toList(),
                hosts.present(),
                charged(sql),
                sql.query("SELECT id FROM jobs ORDER BY created_at, id", row -> row.object("id", UUID.class)).stream()
                        .map(id -> JobRows.find(sql, id).orElseThrow())
                        .toList(),
                failures(sql),
                miscounted(sql)));
    }

    private static List<Happening.Charged> charged(Sql sql) {
        return sql
                .query("SELECT id FROM machines ORDER BY created_at, id", row -> row.object("id", UUID.class))
                .stream()
                .map(id -> MachineRows.find(sql, id).orElseThrow())
                .map(row -> charged(sql, row))
                .toList();
    }

    private static Happening.Charged charged(Sql sql, Machine row) {
        List<MachineEvent> events = EventRows.ofMachine(sql, row.id(), 0, 1_000).stream()
                .map(EventRows.Told::event)
                .toList();
        return new Happening.Charged(
                row,
                UsageRows.ofMachine(sql, row.id()).stream()
                        .map(UsageRows.Used::usage)
                        .toList(),
                Ledger.usages(events));
    }

    private static Map<String, String> failures(Sql sql) {
        return sql
                .query(
                        "SELECT loop || ' ' || row_key AS row, text FROM row_failures",
                        row -> Map.entry(row.text("row"), row.text("text")))
                .stream()
                .filter(row -> !row.getValue().contains(BackendReplica.INJECTED))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, TreeMap::new));
    }

    private static String miscounted(Sql sql) {
        String counters = QuotaRows.counters(sql).toString();
        String recount = QuotaRecount.of(sql).toString();
        return counters.equals(recount) ? "" : counters + " where a recount gives " + recount;
    }

    // ---- checks after each step

    private void probe() {
        List<UUID> shared = database.transact(sql -> sql.query(
                "SELECT coalesce(member, id) AS supplied FROM machines WHERE cluster IS NOT NULL AND phase <> 'ENDED'"
                        + " GROUP BY 1 HAVING count(*) > 1",
                row -> row.object("supplied", UUID.class)));
        shared.forEach(supplied -> record(new Happening.Shared(supplied)));
    }

    private void probeBudgets(boolean isSeen) {
        clients.budgets().forEach(budget -> record(database.transact(sql -> spent(sql, budget, isSeen))));
    }

    static Happening.Spent spent(Sql sql, Budget budget, boolean isSeen) {
        Instant clock = sql.now();
        return new Happening.Spent(
                budget.organisation(),
                BudgetRows.spent(sql, budget, clock),
                BudgetRows.live(sql, budget.organisation(), clock).size(),
                isSeen);
    }
}
