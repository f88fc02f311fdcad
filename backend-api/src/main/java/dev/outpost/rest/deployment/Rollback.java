package dev.outpost.rest.deployment;

import org.jspecify.annotations.Nullable;

/**
 * The body of {@code :rollback}.
 *
 * @param revision the revision to roll out again; by default the last earlier one that has served
 */
public record Rollback(@Nullable Integer revision) {}
