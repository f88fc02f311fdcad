package dev.outpost.optim;

import dev.outpost.types.Shape;

/**
 * A tensor that an optimizer keeps for a parameter from step to step.
 *
 * @param first the first value of its elements
 * @param shape its shape, usually the parameter's
 */
public record Remembered(double first, Shape shape) {}
