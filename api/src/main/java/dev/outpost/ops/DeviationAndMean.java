package dev.outpost.ops;

import dev.outpost.Tensor;

/** A standard deviation and the mean that it is about. */
public record DeviationAndMean(Tensor deviation, Tensor mean) {}
