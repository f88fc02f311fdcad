package dev.outpost.backend.model;

import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** An observation of a job, its machine or its runner. */
public sealed interface JobObservation {
    /**
     * Time has passed.
     *
     * @param machine the phase of the present run's machine; empty if it has none
     * @param isUnseen true if that machine was given up and its end was not seen, so its program may still run
     * @param text a sentence about that machine
     * @param startTimeout how long a runner may take to report once its machine is ready
     * @param cleared for how long the run is known to be over or given up, by a clock that does not jump
     */
    record Tick(Optional<Phase> machine, boolean isUnseen, String text, Duration startTimeout, Duration cleared)
            implements JobObservation {}

    /** A machine was asked for. */
    record Started(UUID machine) implements JobObservation {}

    /** A machine cannot be asked for now, such as by a budget. */
    record NotStarted(String why) implements JobObservation {}

    /**
     * A runner beside a machine wants to begin.
     *
     * @param lease how long the next run waits for this one, if nobody sees the end of the machine
     */
    record Begin(UUID machine, UUID runner, Duration lease) implements JobObservation {}

    /** The runner beside a machine has reported, and the machine cannot be used yet. */
    record Waiting(UUID machine) implements JobObservation {}

    /**
     * The supplier has shown what a runner prints that has not reported.
     *
     * @param line the newest line
     */
    record RunnerSaid(UUID machine, String line) implements JobObservation {}

    /** A runner has given a sign of life. */
    record Heard(UUID machine, UUID runner) implements JobObservation {}

    /**
     * A program has ended.
     *
     * @param isTimeout true if the runner has ended it because it took too long
     */
    record Exited(UUID machine, UUID runner, int code, boolean isTimeout, String text) implements JobObservation {}

    /** A caller wants it to end. */
    record CancelAsked(String by) implements JobObservation {}
}
