package dev.outpost.rest.runner;

import org.jspecify.annotations.Nullable;

/**
 * The report that a program has ended.
 *
 * @param code the exit code
 * @param timeout true if the run took too long
 * @param text a sentence about the end
 */
public record RunnerExit(
        String runner, int code, boolean timeout, @Nullable String text) {}
