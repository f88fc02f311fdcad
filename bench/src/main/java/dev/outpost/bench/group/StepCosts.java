package dev.outpost.bench.group;

/**
 * A step of training or of inference on one member.
 *
 * @param computeSeconds that a member computes, with its share of the work
 * @param reducedBytes that all members sum, in one exchange or several
 * @param exchanges how many of them
 * @param overlap the part of the exchanges' time, from 0 to 1, that can hide behind computing
 */
record StepCosts(double computeSeconds, long reducedBytes, int exchanges, double overlap) {}
