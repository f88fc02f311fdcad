package dev.outpost.rest.tenant;

import java.time.Duration;

/** The time for which the old key stays valid beside the new one. */
public record Rotation(Duration overlap) {}
