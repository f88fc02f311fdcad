package dev.outpost.optim;

import dev.outpost.types.Shape;

/**
 * A tensor that an optimizer keeps of a parameter from step to step.
 *
 * @param first what its elements begin with
 * @param shape its shape, mostly the parameter's
 */
public record Remembered(double first, Shape shape) {}
