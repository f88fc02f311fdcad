package dev.outpost.rest.runner;

/**
 * A runner that wants to begin.
 *
 * @param runner drawn by this process
 * @param tokenSha256 of the token that it has drawn for the program to open the machine by
 */
public record RunnerBegin(String runner, String tokenSha256) {}
