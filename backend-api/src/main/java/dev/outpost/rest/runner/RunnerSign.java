package dev.outpost.rest.runner;

/** A runner's sign of life. */
public record RunnerSign(String runner) {}
