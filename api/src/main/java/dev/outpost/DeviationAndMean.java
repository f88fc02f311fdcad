package dev.outpost;

/** A standard deviation and the mean that it is about. */
public record DeviationAndMean(Tensor deviation, Tensor mean) {}
