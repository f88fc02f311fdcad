package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.job.AttemptRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.RunnerToken;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Carries out the decisions of {@link JobStateMachine}. A step is one transaction that only changes rows. The machine of a run is an
 * ordinary machine, which the driver requests from a cluster.
 */
public final class Jobs {
    /** The time that a machine may live beyond the limit of its program, for its start and for the upload of the run's files. */
    private static final Duration MARGIN = Duration.ofMinutes(30);

    private final RowWork rows;
    private final Machines machines;
    private final Wakeups wakeups;
    private final MachineStarts starts;
    private final RunnerKeys runners;
    private final Duration startTimeout;
    private final Duration lease;
    private final ClearedRuns cleared;

    /**
     * @param startTimeout the longest time from a ready machine until its runner reports
     * @param lease the time for which a run that may be repeated continues without contact
     * @param nanos a clock that does not jump, such as {@link System#nanoTime}
     */
    public Jobs(
            Database database,
            Machines machines,
            Wakeups wakeups,
            Budgets budgets,
            RunnerKeys runners,
            Duration startTimeout,
            Duration lease,
            LongSupplier nanos) {
        if (lease.compareTo(JobStateMachine.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("OUTPOST_BACKEND_JOBS_LEASE: expected " + JobStateMachine.SHORTEST_LEASE
                    + " or more, got " + lease);
        }
        this.rows = new RowWork(database, JobRows.LOOP);
        this.machines = machines;
        this.wakeups = wakeups;
        this.starts = new MachineStarts(machines, budgets);
        this.runners = runners;
        this.startTimeout = startTimeout;
        this.lease = lease;
        this.cleared = new ClearedRuns(nanos, lease);
    }

    /** Runs the steps of all due jobs, one after the other. */
    public void round() {
        cleared.prune();
        rows.drain(JobRows::lockDue, UUID::toString, this::tick);
    }

    private void tick(Sql sql, UUID job) {
        Job row = JobRows.find(sql, job).orElseThrow();
        Optional<Machine> machine = row.machine().flatMap(id -> MachineRows.find(sql, id));
        apply(
                sql,
                row,
                new JobObservation.Tick(
                        machine.map(Machine::phase),
                        machine.flatMap(Machine::endReason)
                                .filter(EndReason.LOST::equals)
                                .isPresent(),
                        machine.map(Machine::text).orElse("there is none"),
                        startTimeout,
                        cleared.time(row)));
    }

    /** Applies an observation to a job whose row this transaction has locked, and returns the new row. */
    public Job apply(Sql sql, Job row, JobObservation observation) {
        JobStateMachine.Step step = JobStateMachine.apply(row, observation, sql.now());
        JobRows.update(sql, row, step.row(), sql.now());
        if (step.row().attempt() > row.attempt()) {
            AttemptRows.add(sql, row, step.row().attempt(), step.row().machine().orElseThrow());
        }
        return step.action().map(action -> act(sql, step.row(), action)).orElse(step.row());
    }

    /** The answer to a runner that asks if it may begin a run. */
    public sealed interface Beginning {
        /** The run is over, or another process has begun it. */
        record Over() implements Beginning {}

        /** The machine of the run cannot be used yet. */
        record NotYet() implements Beginning {}

        /** The runner may begin, or has begun. {@code job} is the new row. */
        record Begun(Job job) implements Beginning {}
    }

    /**
     * Lets one process begin the run of a machine, once the machine is usable and knows the runner's token. A
     * repeated call returns the same answer.
     *
     * @param runner the random id of the runner's process
     * @param tokenSha256 the hash of the runner's token, in hex
     */
    public Beginning begin(Sql sql, UUID onMachine, UUID runner, String tokenSha256) {
        JobObservation.Begin begin = new JobObservation.Begin(onMachine, runner, lease);
        Optional<Job> found = JobRows.lockOf(sql, begin.machine());
        if (found.filter(row -> JobStateMachine.isBegun(row, begin)).isPresent()) {
            return new Beginning.Begun(found.get());
        }
        Optional<Job> expected = found.filter(row -> JobStateMachine.mayBegin(row, begin));
        Optional<Machine> machine = expected.flatMap(row -> MachineRows.lock(sql, begin.machine()))
                .map(row -> granted(sql, row, expected.get(), tokenSha256));
        if (machine.isEmpty()) {
            return new Beginning.Over();
        }
        boolean isReady = machine.get().phase() == Phase.READY && !machine.get().grantsDue();
        if (isReady) {
            return new Beginning.Begun(apply(sql, expected.get(), begin));
        }
        if (expected.get().silent() > 0) {
            apply(sql, expected.get(), new JobObservation.Waiting(begin.machine()));
        }
        return new Beginning.NotYet();
    }

    private Machine granted(Sql sql, Machine machine, Job job, String tokenSha256) {
        boolean isNew = GrantRows.add(
                sql, machine.id(), tokenSha256, "job " + job.spec().name(), GrantTerms.ALL);
        return isNew
                ? machines.apply(sql, machine, new Observation.GrantsChanged()).row()
                : machine;
    }

    private Job act(Sql sql, Job row, JobStateMachine.Action action) {
        return switch (action) {
            case START -> start(sql, row);
            case END -> end(sql, row);
        };
    }

    private Job start(Sql sql, Job row) {
        UUID machine = UUID.randomUUID();
        Optional<String> refused =
                starts.start(sql, machine, request(row), row.spec().keyId());
        if (refused.isPresent()) {
            return apply(sql, row, new JobObservation.NotStarted(refused.get()));
        }
        JobRows.addMachine(sql, row.id(), machine);
        grantBeforeStart(sql, row, machine);
        wakeups.admission();
        return apply(sql, row, new JobObservation.Started(machine));
    }

    /** Adds the grant before the machine starts, because a later grant takes a cluster up to a minute and a half. */
    private void grantBeforeStart(Sql sql, Job row, UUID machine) {
        if (runners.isReady()) {
            Machine queued = MachineRows.lock(sql, machine).orElseThrow();
            granted(sql, queued, row, RunnerToken.hashOfMachine(runners.token(machine)));
        }
    }

    private static Request request(Job row) {
        return new Request(
                row.spec().organisation(),
                row.spec().project(),
                "job " + row.spec().name(),
                row.spec().gpu(),
                1,
                1,
                Optional.of(row.spec().timeout().plus(MARGIN)),
                Optional.empty(),
                Optional.empty());
    }

    private Job end(Sql sql, Job row) {
        machines.apply(
                sql,
                row.machine().orElseThrow(),
                new Observation.EndAsked("job " + row.spec().name() + ": " + row.text()));
        wakeups.driver();
        return row;
    }
}
