package dev.outpost.rest.runner;

/**
 * The answer to a sign of life.
 *
 * @param stop true if the program must end
 */
public record RunnerOrders(boolean stop) {}
