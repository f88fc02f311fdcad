package dev.outpost.rest.machine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request for a machine that the backend decides about without making the machine.
 *
 * @param project the project that pays; all fields mean the same as in {@link MachineRequest}
 * @param lease the lease; 60 s by default if {@code life} is absent
 */
public record PlanRequest(
        @Nullable String project,
        String gpu,
        @Nullable Integer gpus,
        @Nullable Duration life,
        @Nullable Duration lease,
        @Nullable Duration idle) {}
