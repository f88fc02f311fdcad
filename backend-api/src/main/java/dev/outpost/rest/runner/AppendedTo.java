package dev.outpost.rest.runner;

/** The beginning of the next part. */
public record AppendedTo(long next) {}
