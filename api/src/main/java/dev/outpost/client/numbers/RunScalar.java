package dev.outpost.client.numbers;

import dev.outpost.types.Scalar;

/**
 * An operand of a program's instruction whose value may differ in each run.
 *
 * @param scalar the value while the program is traced
 * @param column the index of the program's number
 */
public record RunScalar(Scalar scalar, int column) {}
