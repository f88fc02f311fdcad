package dev.outpost;

/** The smallest and the largest elements. */
public record MinAndMax(Tensor min, Tensor max) {}
