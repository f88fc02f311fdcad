package dev.outpost.backend.model.job;

import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The life of a job: a row, an observation and a time give the next row and at most one action. It has no clock and
 * no SQL.
 *
 * <p>A run begins when its runner is allowed to begin. Only one process on one machine is ever allowed to begin a run. Another run follows
 * only if retries are left, and only once the machine of the last run has ended. If the end of the machine was not observed, the next run
 * waits until the lease of the last run is over. Before this time the host has ended that run. So a program runs at most once plus its
 * retries, and never at two places at a time.
 */
public final class JobStateMachine {
    /** The number of machines in a row that end before a run begins, after which the job fails. */
    public static final int STARTS = 5;

    /** The number of checks without a report of the runner after which a run counts as lost. Time without a backend does not count. */
    public static final int SILENT_LOOKS = 8;

    /** The time before the end of the lease at which a runner without contact begins to end its program, which takes some seconds. */
    static final Duration BEFORE_LEASE = Duration.ofSeconds(30);

    public static final Duration SHORTEST_LEASE = Duration.ofMinutes(1);

    /** The time that a runner may take to end the program and to report it. */
    static final Duration STOPPING = Duration.ofSeconds(45);

    /**
     * The time beyond the program's limit after which the backend stops the run. The runner ends such a program by itself, even without a
     * backend.
     */
    static final Duration OVERTIME = Duration.ofSeconds(60);

    /**
     * The number of checks of a ready machine without a report of its runner after which the job's text mentions it.
     */
    public static final int UNHEARD_LOOKS = 10;

    private static final String MACHINE_STARTS = "its machine starts";
    private static final String UNHEARD = "its machine is ready, and its runner has not reached the backend yet";
    private static final String RUNNER_SAYS = UNHEARD + "; it says: ";
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(10);
    private static final Duration OFTEN = Duration.ofSeconds(1);
    private static final Duration SELDOM = Duration.ofSeconds(10);

    private JobStateMachine() {}

    /** The action to take in the same transaction. */
    public enum Action {
        /** Request a machine. */
        START,

        /** End the machine of the run. */
        END
    }

    /** The next row, with the next version if anything changed, and the action. */
    public record Step(Job row, Optional<Action> action) {
        static Step of(Job row) {
            return new Step(row, Optional.empty());
        }

        static Step ending(Job row) {
            return new Step(row, row.machine().map(machine -> Action.END));
        }
    }

    public static Step apply(Job row, JobObservation observation, Instant now) {
        Step next = row.phase().isOver() ? Step.of(row) : next(row, observation, now);
        return next.row().equals(row) ? next : new Step(next.row().versioned(row.version() + 1), next.action());
    }

    /** True if this runner process has begun the present run. */
    public static boolean isBegun(Job row, JobObservation.Begin begin) {
        return row.isRunBy(begin.machine(), begin.runner());
    }

    /** True if a runner may begin. This is the case if no other runner has begun, and its machine is the machine of the present run. */
    public static boolean mayBegin(Job row, JobObservation.Begin begin) {
        return isExpected(row, begin.machine());
    }

    /** True if the runner beside this machine is expected to begin the present run. */
    private static boolean isExpected(Job row, UUID machine) {
        return row.phase() == JobPhase.STARTING
                && row.runner().isEmpty()
                && row.machine().filter(machine::equals).isPresent();
    }

    /** Returns the time at which the row must be checked again. */
    public static Optional<Instant> due(Job row, Instant now) {
        return switch (row.phase()) {
            case WAITING -> Optional.of(row.retryAt().filter(now::isBefore).orElse(now));
            case STARTING, STOPPING, CLEARING -> Optional.of(now.plus(OFTEN));
            case RUNNING -> Optional.of(now.plus(SELDOM));
            case SUCCEEDED, FAILED, CANCELLED -> Optional.empty();
        };
    }

    private static Step next(Job row, JobObservation observation, Instant now) {
        return switch (observation) {
            case JobObservation.Tick tick -> tick(row, tick, now);
            case JobObservation.Started started ->
                Step.of(row.on(started.machine()).in(JobPhase.STARTING, MACHINE_STARTS, now));
            case JobObservation.NotStarted not ->
                Step.of(row.again(now.plus(BEFORE_NEXT_TRY), row.starts()).in(JobPhase.WAITING, not.why(), now));
            case JobObservation.Begin begin -> begin(row, begin, now);
            case JobObservation.Waiting waiting -> Step.of(isExpected(row, waiting.machine()) ? row.silent(0) : row);
            case JobObservation.RunnerSaid said ->
                Step.of(
                        isExpected(row, said.machine()) && row.silent() > 0
                                ? row.in(JobPhase.STARTING, RUNNER_SAYS + said.line(), now)
                                : row);
            case JobObservation.Heard heard ->
                Step.of(row.isRunBy(heard.machine(), heard.runner()) ? row.silent(0) : row);
            case JobObservation.Exited exited ->
                row.isRunBy(exited.machine(), exited.runner()) ? exited(row, exited, now) : Step.of(row);
            case JobObservation.CancelAsked cancel -> cancel(row, cancel, now);
        };
    }

    private static Step begin(Job row, JobObservation.Begin begin, Instant now) {
        return Step.of(
                mayBegin(row, begin)
                        ? row.begun(begin.runner(), begin.lease(), now).in(JobPhase.RUNNING, "its program runs", now)
                        : row);
    }

    private static Step exited(Job row, JobObservation.Exited exited, Instant now) {
        Job ended = row.exited(Optional.of(exited.code()));
        if (exited.isTimeout()) {
            return Step.ending(ended.stopping(Job.Stop.TIMEOUT).in(JobPhase.FAILED, tooLong(row), now));
        }
        if (exited.code() == 0) {
            return Step.ending(ended.in(JobPhase.SUCCEEDED, "its program ended with 0", now));
        }
        return row.stop().isPresent() ? stopped(ended, now) : runOver(ended, exited.text(), now);
    }

    private static Step cancel(Job row, JobObservation.CancelAsked cancel, Instant now) {
        Job asked = row.stopping(Job.Stop.CANCELLED);
        return row.phase().isBegun()
                ? Step.of(asked.in(JobPhase.STOPPING, cancel.by() + " asked for its end", now))
                : Step.ending(asked.in(JobPhase.CANCELLED, cancel.by() + " asked for its end", now));
    }

    private static Step tick(Job row, JobObservation.Tick tick, Instant now) {
        boolean isMachineOver =
                tick.machine().filter(phase -> phase != Phase.ENDED).isEmpty();
        return switch (row.phase()) {
            case WAITING ->
                row.retryAt().filter(now::isBefore).isPresent()
                        ? Step.of(row)
                        : new Step(row, Optional.of(Action.START));
            case STARTING -> isMachineOver ? startFailed(row, tick.text(), now) : starting(row, tick, now);
            case RUNNING -> isMachineOver ? lost(row, "its machine ended: " + tick.text(), now) : running(row, now);
            case STOPPING ->
                isMachineOver || row.since().plus(STOPPING).isBefore(now) ? stopped(row, now) : Step.of(row);
            case CLEARING ->
                isRunOver(row, tick, isMachineOver)
                        ? Step.of(row.again(now.plus(pause(row.attempt())), 0).in(JobPhase.WAITING, row.text(), now))
                        : Step.of(row);
            case SUCCEEDED, FAILED, CANCELLED -> Step.of(row);
        };
    }

    /**
     * True if the end of the machine was observed, or the lease of the run has passed. The runner's last sign of life came before this
     * phase began, and without further contact the runner ends its program before the lease is over. A run without a lease was begun by an
     * older version. Its runner ends the program at its timeout at the latest. The check does not use the database's clock, because that
     * clock may jump.
     */
    private static boolean isRunOver(Job row, JobObservation.Tick tick, boolean isMachineOver) {
        boolean isSeen = isMachineOver && !tick.isUnseen();
        Duration longest = row.lease().orElseGet(() -> row.spec().timeout().plus(OVERTIME));
        return isSeen || tick.cleared().compareTo(longest) >= 0;
    }

    /**
     * Returns the time for which the present run may continue without contact; empty (no limit) if no run may follow it or no lease was
     * granted.
     */
    public static Optional<Duration> contact(Job row) {
        return row.lease().filter(lease -> mayRepeat(row)).map(lease -> lease.minus(BEFORE_LEASE));
    }

    private static boolean mayRepeat(Job row) {
        return row.attempt() <= row.spec().retries();
    }

    /**
     * Handles a check of a job whose runner has not begun. Counts checks, not time, so that time without a backend
     * does not count.
     */
    private static Step starting(Job row, JobObservation.Tick tick, Instant now) {
        if (tick.machine().filter(Phase.READY::equals).isEmpty()) {
            return Step.of(row);
        }
        int looks = row.silent() + 1;
        if (OFTEN.multipliedBy(looks).compareTo(tick.startTimeout()) > 0) {
            return Step.ending(row.in(JobPhase.FAILED, unheard(row, tick.startTimeout()), now));
        }
        boolean isNews = looks >= UNHEARD_LOOKS && row.text().equals(MACHINE_STARTS);
        return Step.of(row.silent(looks).in(JobPhase.STARTING, isNews ? UNHEARD : row.text(), now));
    }

    private static String unheard(Job row, Duration timeout) {
        String text = row.text().startsWith(RUNNER_SAYS)
                ? "it said: " + row.text().substring(RUNNER_SAYS.length())
                : "its supplier shows no message of it";
        return "its runner did not reach the backend within " + timeout
                + " after its machine was ready; machines must reach OUTPOST_BACKEND_JOBS_ADDRESS and trust its certificate; "
                + text;
    }

    private static Step running(Job row, Instant now) {
        if (row.begun()
                .orElse(row.since())
                .plus(row.spec().timeout())
                .plus(OVERTIME)
                .isBefore(now)) {
            return Step.of(row.stopping(Job.Stop.TIMEOUT).in(JobPhase.STOPPING, tooLong(row), now));
        }
        return row.silent() >= SILENT_LOOKS
                ? lost(row, "its runner is not heard of any more", now)
                : Step.of(row.silent(row.silent() + 1));
    }

    private static Step startFailed(Job row, String why, Instant now) {
        int starts = row.starts() + 1;
        return Step.of(
                starts >= STARTS
                        ? row.in(
                                JobPhase.FAILED,
                                starts + " machines ended before its program began, the last one: " + why,
                                now)
                        : row.again(now.plus(pause(starts)), starts)
                                .in(JobPhase.WAITING, "its machine ended before its program began: " + why, now));
    }

    private static Step lost(Job row, String why, Instant now) {
        return runOver(row.exited(Optional.empty()), why, now);
    }

    private static Step runOver(Job row, String why, Instant now) {
        boolean isRepeated = mayRepeat(row);
        String text = "run " + row.attempt() + " of at most " + (row.spec().retries() + 1) + ": " + why;
        return Step.ending(row.in(isRepeated ? JobPhase.CLEARING : JobPhase.FAILED, text, now));
    }

    private static Step stopped(Job row, Instant now) {
        boolean isCancelled = row.stop().filter(Job.Stop.CANCELLED::equals).isPresent();
        return Step.ending(row.in(isCancelled ? JobPhase.CANCELLED : JobPhase.FAILED, row.text(), now));
    }

    private static String tooLong(Job row) {
        return "its program took longer than " + row.spec().timeout();
    }

    private static Duration pause(int times) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, 6));
    }
}
