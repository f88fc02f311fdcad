package dev.outpost.backend.model.job;

import dev.outpost.rest.job.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A job's row.
 *
 * @param id drawn by the client
 * @param version counts the changes of this row
 * @param since the time at which the phase began
 * @param text a sentence about its state
 * @param attempt the number of runs that have begun
 * @param starts the number of machines in a row that ended before a run began
 * @param machine the machine of the present run
 * @param runner the process that may run the present run
 * @param silent the number of checks of the job since its runner last reported
 * @param begun the time at which the present run began
 * @param lease the time that the next run waits for the present one if the end of the present run's machine is not
 *     observed; a new setting applies only to later runs. Empty if no lease was granted
 * @param exitCode the exit code of the last run
 * @param stop the reason why the job shall end
 * @param retryAt the time from which it may request a machine
 */
public record Job(
        UUID id,
        long version,
        JobSpec spec,
        JobPhase phase,
        Instant since,
        String text,
        int attempt,
        int starts,
        Optional<UUID> machine,
        Optional<UUID> runner,
        int silent,
        Optional<Instant> begun,
        Optional<Duration> lease,
        Optional<Integer> exitCode,
        Optional<Stop> stop,
        Optional<Instant> retryAt,
        Instant created) {

    /** The reason why a job ends before its program does. */
    public enum Stop {
        CANCELLED,
        TIMEOUT
    }

    public static Job created(UUID id, JobSpec spec, Instant now) {
        return new Job(
                id,
                1,
                spec,
                JobPhase.WAITING,
                now,
                "a machine is asked for",
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                now);
    }

    /** True if this runner process on this machine runs the present run. */
    boolean isRunBy(UUID itsMachine, UUID itsRunner) {
        return phase.isBegun()
                && machine.filter(itsMachine::equals).isPresent()
                && runner.filter(itsRunner::equals).isPresent();
    }

    Job in(JobPhase next, String why, Instant now) {
        return new Job(
                id,
                version,
                spec,
                next,
                next == phase ? since : now,
                why,
                attempt,
                starts,
                machine,
                runner,
                silent,
                begun,
                lease,
                exitCode,
                stop,
                retryAt,
                created);
    }

    /** Returns the row without a machine. The job may request a machine from {@code from} on. */
    Job again(Instant from, int nextStarts) {
        return new Job(
                id,
                version,
                spec,
                phase,
                since,
                text,
                attempt,
                nextStarts,
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                exitCode,
                stop,
                Optional.of(from),
                created);
    }

    Job on(UUID itsMachine) {
        return new Job(
                id,
                version,
                spec,
                phase,
                since,
                text,
                attempt,
                starts,
                Optional.of(itsMachine),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                exitCode,
                stop,
                Optional.empty(),
                created);
    }

    Job begun(UUID itsRunner, Duration itsLease, Instant now) {
        return new Job(
                id,
                version,
                spec,
                phase,
                since,
                text,
                attempt + 1,
                0,
                machine,
                Optional.of(itsRunner),
                0,
                Optional.of(now),
                Optional.of(itsLease),
                Optional.empty(),
                stop,
                retryAt,
                created);
    }

    Job silent(int looks) {
        return new Job(
                id, version, spec, phase, since, text, attempt, starts, machine, runner, looks, begun, lease, exitCode,
                stop, retryAt, created);
    }

    Job exited(Optional<Integer> code) {
        return new Job(
                id, version, spec, phase, since, text, attempt, starts, machine, runner, silent, begun, lease, code,
                stop, retryAt, created);
    }

    /** Sets the reason to stop, unless a reason is already set. */
    Job stopping(Stop why) {
        return new Job(
                id,
                version,
                spec,
                phase,
                since,
                text,
                attempt,
                starts,
                machine,
                runner,
                silent,
                begun,
                lease,
                exitCode,
                stop.or(() -> Optional.of(why)),
                retryAt,
                created);
    }

    Job versioned(long next) {
        return new Job(
                id, next, spec, phase, since, text, attempt, starts, machine, runner, silent, begun, lease, exitCode,
                stop, retryAt, created);
    }
}
