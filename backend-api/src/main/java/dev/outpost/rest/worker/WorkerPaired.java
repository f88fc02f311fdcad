package dev.outpost.rest.worker;

/** The name under which it is a cluster. */
public record WorkerPaired(String cluster) {}
