package dev.outpost.rest.usage;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The use of machines over time.
 *
 * @param step the time that an item covers
 * @param items the steps in which a machine was ready, in the order of time
 */
public record UseSamples(Instant from, Instant to, Duration step, List<UseSample> items) {

    /**
     * The most that was used at one time within a step.
     *
     * @param at the begin of the step
     * @param machines the number of ready machines
     * @param gpus the number of their GPUs
     * @param memoryBytes the memory of the values of all sessions, in bytes
     */
    public record UseSample(Instant at, int machines, int gpus, long memoryBytes) {}
}
