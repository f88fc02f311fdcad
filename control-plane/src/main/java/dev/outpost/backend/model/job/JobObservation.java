package dev.outpost.backend.model.job;

import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** An observation of a job, its machine or its runner. */
public sealed interface JobObservation {
    /**
     * Some time has passed since the last observation.
     *
     * @param machine the phase of the present run's machine; empty if the run has no machine
     * @param isUnseen true if the machine was given up without an observed end, so that its program may still run
     * @param text a sentence about the machine
     * @param startTimeout the longest time from a ready machine until its runner reports
     * @param cleared the time for which the run is known to be over or given up, by a monotonic clock
     */
    record Tick(Optional<Phase> machine, boolean isUnseen, String text, Duration startTimeout, Duration cleared)
            implements JobObservation {}

    /** A machine was requested. */
    record Started(UUID machine) implements JobObservation {}

    /** A machine cannot be requested now, for example because of a budget. */
    record NotStarted(String why) implements JobObservation {}

    /**
     * A runner beside a machine asks if it may begin.
     *
     * @param lease the time that the next run waits for this one if the end of the machine is not observed
     */
    record Begin(UUID machine, UUID runner, Duration lease) implements JobObservation {}

    /** The runner beside a machine has reported, and the machine cannot be used yet. */
    record Waiting(UUID machine) implements JobObservation {}

    /**
     * The supplier has shown the output of a runner that has not reported.
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

    /** A caller asks for the end of the job. */
    record CancelAsked(String by) implements JobObservation {}
}
