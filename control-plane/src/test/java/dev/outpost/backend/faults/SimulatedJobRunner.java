package dev.outpost.backend.faults;

import dev.outpost.backend.fleet.Jobs;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.rest.job.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The process beside a machine that runs a job's program, as {@code JobRunner} of the runtime does: it asks until it gets an answer,
 * starts the program once, reports, and ends the program on request or after too long a time without an answer.
 */
final class SimulatedJobRunner {
    private final World world;
    private final HostMachine machine;
    private final UUID process;
    private Optional<Run> run = Optional.empty();
    private boolean isOver;
    private boolean isBusy;

    /** A program that runs, or whose end was not reported yet. */
    private static final class Run {
        private final UUID job;
        private final Instant end;
        private final int code;
        private final Optional<Duration> contact;
        private Instant heard;
        private Optional<Integer> exit = Optional.empty();

        private Run(Job row, Program program, Optional<Duration> contact, Instant now) {
            this.job = row.id();
            this.end = now.plus(program.time());
            this.code = program.code();
            this.contact = contact;
            this.heard = now;
        }
    }

    /** A job's program: it runs for a time and ends with a code. */
    record Program(Duration time, int code) {}

    SimulatedJobRunner(World world, HostMachine machine) {
        this.world = world;
        this.machine = machine;
        this.process = world.draw();
    }

    /** Kills the runner's process and with it the program. */
    void kill() {
        run.filter(one -> one.exit.isEmpty())
                .ifPresent(one -> world.record(new Happening.RunEnded(one.job, machine.id(), Optional.empty())));
        run = Optional.empty();
        isOver = true;
    }

    /** Does the work that is due, unless it still waits for an answer. */
    void work() {
        if (isOver || isBusy) {
            return;
        }
        isBusy = true;
        if (run.isEmpty()) {
            begin();
        } else if (run.get().exit.isEmpty()) {
            watch(run.get());
        } else {
            report(run.get());
        }
        isBusy = false;
    }

    private void begin() {
        Instant asked = world.now();
        int lines = world.lines();
        world.call(machine, backend -> {
                    Jobs.Beginning answer = backend.database.transact(
                            sql -> backend.jobs.begin(sql, machine.id(), process, "cd".repeat(32)));
                    Optional<Duration> contact = answer instanceof Jobs.Beginning.Begun begun
                            ? JobStateMachine.contact(begun.job())
                            : Optional.empty();
                    return new Answer(answer, contact);
                })
                .filter(answer -> !isOver)
                .ifPresent(answer -> {
                    isOver = answer.beginning() instanceof Jobs.Beginning.Over;
                    // Time may have passed before the answer; the contact counts from the time of the request.
                    if (answer.beginning() instanceof Jobs.Beginning.Begun begun) {
                        Job row = begun.job();
                        run = Optional.of(new Run(row, world.program(row.id()), answer.contact(), asked));
                        world.record(new Happening.RunBegan(row.id(), machine.id(), lines));
                    }
                });
    }

    private record Answer(Jobs.Beginning beginning, Optional<Duration> contact) {}

    private void watch(Run one) {
        Instant asked = world.now();
        Optional<Boolean> stop = world.call(
                machine,
                backend -> backend.database.transact(sql -> {
                    Job row = JobRows.lockOf(sql, machine.id()).orElseThrow();
                    Job next = backend.jobs.apply(sql, row, new JobObservation.Heard(machine.id(), process));
                    return next.phase() != JobPhase.RUNNING
                            || next.machine().filter(machine.id()::equals).isEmpty();
                }));
        if (isOver) {
            return;
        }
        if (stop.isPresent()) {
            one.heard = asked;
        }
        boolean isSilent = one.contact
                .filter(most -> one.heard.plus(most).isBefore(world.now()))
                .isPresent();
        if (!one.end.isAfter(world.now())) {
            exit(one, one.code);
        } else if (stop.orElse(false) || isSilent) {
            exit(one, 143);
        }
    }

    private void exit(Run one, int code) {
        one.exit = Optional.of(code);
        world.record(new Happening.RunEnded(one.job, machine.id(), one.exit));
        report(one);
    }

    private void report(Run one) {
        int code = one.exit.orElseThrow();
        world.call(machine, backend -> {
                    backend.database.run(sql -> JobRows.lockOf(sql, machine.id())
                            .ifPresent(row -> backend.jobs.apply(
                                    sql,
                                    row,
                                    new JobObservation.Exited(
                                            machine.id(), process, code, false, "its program ended with " + code))));
                    return true;
                })
                .ifPresent(told -> isOver = true);
    }
}
