package dev.outpost.rest.machine;

import java.time.Duration;

/** The body of {@code :extend}: the time that it lives longer than was agreed, such as {@code PT30M}. */
public record Extension(Duration by) {}
