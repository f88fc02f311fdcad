package dev.outpost.backend.model;

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
 * @param since when the phase began
 * @param text a sentence about it
 * @param attempt how many runs have begun
 * @param starts how many machines in a row ended before a run began
 * @param machine the machine of the present run
 * @param runner the process that was let begin the present run
 * @param silent how often the job was looked at since its runner was last heard
 * @param begun when the present run began
 * @param lease how long the next run waits for the present one, if nobody sees the end of its machine; a new setting changes it for later
 *     runs only. Empty if none was granted
 * @param exitCode with what the last run ended
 * @param stop why it is to end
 * @param retryAt when it may ask for a machine
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

    /** Why a job ends before its program does. */
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

    /** True if that runner process on that machine runs the present run. */
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

    /** The same without a machine; it may ask for one from then on. */
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

    /** The first reason stays. */
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
