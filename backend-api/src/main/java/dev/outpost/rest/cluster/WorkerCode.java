package dev.outpost.rest.cluster;

import java.time.Instant;

/** The code that pairs a worker host, once and until then. It is shown this once. */
public record WorkerCode(String code, Instant until) {}
