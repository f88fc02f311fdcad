package dev.outpost.rest.cluster;

import java.time.Instant;

/**
 * The code that pairs a worker host. It is valid once, and no other answer shows it.
 *
 * @param until the time at which it expires
 */
public record WorkerCode(String code, Instant until) {}
