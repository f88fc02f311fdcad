package dev.outpost.rest.runner;

/** The sign of life of a runner. */
public record RunnerSign(String runner) {}
