package dev.outpost.ops;

import dev.outpost.Tensor;

/** The smallest and the largest elements. */
public record MinAndMax(Tensor min, Tensor max) {}
