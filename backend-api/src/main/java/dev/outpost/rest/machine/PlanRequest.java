package dev.outpost.rest.machine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The request whose plan is asked for.
 *
 * @param project as in {@link MachineRequest}, like all other fields
 * @param lease 60 s by default if {@code life} is absent, too
 */
public record PlanRequest(
        @Nullable String project,
        String gpu,
        @Nullable Integer gpus,
        @Nullable Duration life,
        @Nullable Duration lease,
        @Nullable Duration idle) {}
