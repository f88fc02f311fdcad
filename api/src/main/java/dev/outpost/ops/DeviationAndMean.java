package dev.outpost.ops;

import dev.outpost.Tensor;

/** A standard deviation and the mean that it was computed from. */
public record DeviationAndMean(Tensor deviation, Tensor mean) {}
