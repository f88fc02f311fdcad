package dev.outpost.rest.deployment;

/**
 * The body of {@code :rollback}: the revision that is rolled out again; the last one before that has served where
 * it is absent.
 */
public record Rollback(Integer revision) {}
