package dev.outpost.ops;

import dev.outpost.Tensor;

/** The variance and the mean that it was computed from. */
public record VarianceAndMean(Tensor variance, Tensor mean) {}
