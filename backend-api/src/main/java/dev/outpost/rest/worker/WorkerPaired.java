package dev.outpost.rest.worker;

/**
 * The answer to a pairing.
 *
 * @param cluster the name of the host as a cluster
 */
public record WorkerPaired(String cluster) {}
