package dev.outpost.rest.machine;

import java.time.Duration;

/**
 * The body of {@code :extend}.
 *
 * @param by the time that is added to the machine's life, such as {@code PT30M}
 */
public record Extension(Duration by) {}
