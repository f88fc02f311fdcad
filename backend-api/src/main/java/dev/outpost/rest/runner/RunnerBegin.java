package dev.outpost.rest.runner;

/**
 * The request of a runner to begin the run.
 *
 * @param runner the id that this process has drawn
 * @param tokenSha256 the SHA-256, in hex, of the token by which the program opens the machine
 */
public record RunnerBegin(String runner, String tokenSha256) {}
