package dev.outpost.rest.runner;

/** Orders the program to end, or lets it run. */
public record RunnerOrders(boolean stop) {}
