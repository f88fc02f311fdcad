package dev.outpost.bench.group;

/**
 * The cost of a step of training or inference on one member.
 *
 * @param computeSeconds the time of computing the member's share of the work
 * @param reducedBytes bytes that all members sum, in one or several exchanges
 * @param exchanges number of exchanges
 * @param overlap the fraction of the exchanges' time, from 0 to 1, that can overlap with the computation
 */
record StepCosts(double computeSeconds, long reducedBytes, int exchanges, double overlap) {}
