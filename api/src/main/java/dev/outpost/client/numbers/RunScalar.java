package dev.outpost.client.numbers;

import dev.outpost.types.Scalar;

/**
 * An operand of a program's instruction that each run is given anew.
 *
 * @param scalar as it is while the program is traced
 * @param column which of the program's numbers it is
 */
public record RunScalar(Scalar scalar, int column) {}
