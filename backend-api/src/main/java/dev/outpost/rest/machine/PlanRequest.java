package dev.outpost.rest.machine;

import java.time.Duration;

/**
 * The request that is asked about.
 *
 * @param life as of a machine that is asked for; so are {@code lease}, which is 60 s where both are left out, and {@code idle}
 */
public record PlanRequest(String project, String gpu, Integer gpus, Duration life, Duration lease, Duration idle) {}
