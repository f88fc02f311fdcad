package dev.outpost.backend.model;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What was seen of a job. */
public sealed interface JobSeen {
    /**
     * Time has passed.
     *
     * @param machine how far the machine of the present run is; nothing where there is none
     * @param isUnseen whether that machine was given up without anybody seeing its end, so that its program may still run
     * @param text a sentence about that machine
     * @param startTimeout how long a runner may take to report once its machine is ready
     * @param lease how long a run that may be repeated goes on without contact
     * @param cleared for how long the run is known to be over or given up, by a clock that does not jump
     */
    record Tick(
            Optional<Phase> machine,
            boolean isUnseen,
            String text,
            Duration startTimeout,
            Duration lease,
            Duration cleared)
            implements JobSeen {}

    /** A machine was asked for. */
    record Started(UUID machine) implements JobSeen {}

    /** A machine cannot be asked for now, such as by a budget. */
    record NotStarted(String why) implements JobSeen {}

    /** A runner beside a machine wants to begin. */
    record Begin(UUID machine, UUID runner) implements JobSeen {}

    /** The runner beside a machine has reported, and the machine cannot be used yet. */
    record Waiting(UUID machine) implements JobSeen {}

    /**
     * The supplier has shown what a runner prints that has not reported.
     *
     * @param line the newest line
     */
    record RunnerSaid(UUID machine, String line) implements JobSeen {}

    /** A runner is there. */
    record Heard(UUID machine, UUID runner) implements JobSeen {}

    /**
     * A program has ended.
     *
     * @param isTimeout whether the runner has ended it since it took too long
     */
    record Exited(UUID machine, UUID runner, int code, boolean isTimeout, String text) implements JobSeen {}

    /** Somebody wants its end. */
    record CancelAsked(String by) implements JobSeen {}
}
